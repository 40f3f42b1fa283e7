package dev.leat.flink;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that would be wrong at run time, and therefore do not compile. */
class WrongProgramsTest {
  private static final String JOIN =
      "Enrichment.from(plays).join(customers).on(Play::customerId).cachedIn(disk)";
  private static final String LEFT_JOIN =
      "Enrichment.from(plays).leftJoin(customers).on(Play::customerId).cachedIn(disk)";

  @ParameterizedTest
  @ValueSource(
      strings = {
        JOIN + ".combine((play, customer) -> customer.tier(), String.class)",
        JOIN + ".combine(EnrichedPlay::of, EnrichedPlay.class)",
        JOIN + ".onMiss(MissPolicy.drop()).combine(EnrichedPlay::of, EnrichedPlay.class)",
        JOIN
            + ".onMiss(MissPolicy.toSideOutput(playTag)).uid(\"u\").named(\"n\")"
            + ".combine(EnrichedPlay::of, EnrichedPlay.class)",
        LEFT_JOIN
            + ".combine((play, customer) -> customer.map(Customer::tier).orElse(\"\"),"
            + " String.class)",
        LEFT_JOIN + ".refresh(Refresh.never()).combine(EnrichedPlay::ofMaybe, EnrichedPlay.class)",
        "Enrichment.from(plays).join(byNumber).on(Play::seconds).cachedIn(disk)"
            + ".combine(EnrichedPlay::of, EnrichedPlay.class)",
        "Enrichment.from(plays).join(customers).on(p -> p == null ? null : p.customerId())"
            + ".cachedIn(disk, disk).combine(EnrichedPlay::of, EnrichedPlay.class)",
        "Enrichment.from("
            + JOIN
            + ".combine((play, customer) -> play, Play.class))"
            + ".leftJoin(byNumber).on(Play::seconds).cachedIn(disk)"
            + ".combine(EnrichedPlay::ofMaybe, EnrichedPlay.class)",
      })
  void aRightProgramCompiles(String program) {
    assertThat(errors(program)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Enrichment.join(customers)",
        "Enrichment.from(plays).on(Play::customerId)",
        "Enrichment.from(plays).cachedIn(disk)",
        "Enrichment.from(plays).combine(EnrichedPlay::of, EnrichedPlay.class)",
        "Enrichment.from(plays).join(customers).cachedIn(disk)",
        "Enrichment.from(plays).join(customers).join(customers)",
        "Enrichment.from(plays).join(customers).combine(EnrichedPlay::of, EnrichedPlay.class)",
        "Enrichment.from(plays).join(customers).on(Play::customerId).on(Play::customerId)",
        "Enrichment.from(plays).join(customers).on(Play::customerId).refresh(Refresh.never())",
        JOIN + ".cachedIn(disk)",
        JOIN + ".on(Play::customerId)",
        JOIN + ".join(customers)",
      })
  void aStepOutOfOrderOrLeftOutDoesNotCompile(String program) {
    assertThat(errors(program)).singleElement().asString().contains("cannot find symbol");
  }

  @Test
  void aCacheMustBeNamed() {
    assertThat(
            errors(
                "Enrichment.from(plays).join(customers).on(Play::customerId)"
                    + ".combine(EnrichedPlay::of, EnrichedPlay.class)"))
        .singleElement()
        .asString()
        .contains("cannot find symbol", "method", "combine", "OnStage");
    assertThat(errors("Enrichment.from(plays).join(customers).on(Play::customerId).cachedIn()"))
        .singleElement()
        .asString()
        .contains("cachedIn");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Enrichment.from(plays).join(customers).on(Play::seconds)",
        "Enrichment.from(plays).join(customers).on(play -> play.seconds())",
        "Enrichment.from(plays).join(byNumber).on(Play::customerId)",
        "Enrichment.from(plays).leftJoin(byNumber).on(play -> \"7\")",
      })
  void aKeyOfAnotherTypeThanTheDimensionsDoesNotCompile(String program) {
    assertThat(errors(program)).singleElement().asString().contains("incompatible types");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        LEFT_JOIN + ".combine((play, customer) -> customer.tier(), String.class)",
        LEFT_JOIN
            + ".combine((play, customer) -> EnrichedPlay.of(play, customer), EnrichedPlay.class)",
        LEFT_JOIN + ".combine(EnrichedPlay::of, EnrichedPlay.class)",
        JOIN + ".combine(EnrichedPlay::ofMaybe, EnrichedPlay.class)",
        JOIN + ".combine((play, customer) -> customer.isPresent(), Boolean.class)",
      })
  void forgettingThatTheRowMayBeAbsentDoesNotCompile(String program) {
    assertThat(errors(program)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        JOIN + ".combine(EnrichedPlay::of, Play.class)",
        JOIN + ".combine((play, customer) -> play, TypeInformation.of(String.class))",
        JOIN + ".combine((play, customer) -> play)",
      })
  void anOutputOfAnotherTypeThanDeclaredDoesNotCompile(String program) {
    assertThat(errors(program)).isNotEmpty();
  }

  @Test
  void aSideOutputOfAnotherTypeThanTheEventsDoesNotCompile() {
    assertThat(errors(JOIN + ".onMiss(MissPolicy.toSideOutput(textTag))")).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new Enrichment.FromStage<Play>(plays)",
        "new Enrichment.JoinStage<Play, String, Customer>(null)",
        "new Enrichment.OnStage<Play, Customer>(null)",
        "new Enrichment<Play, Customer>(null, null)",
        "new MissPolicy<Play>(null)",
        "new LookupMode(\"auto\")",
      })
  void aStageCannotBeMadeBesidesItsStep(String program) {
    assertThat(errors(program)).singleElement().asString().contains("has private access");
  }

  /** The errors of the compiler about one expression. */
  private static List<String> errors(String expression) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    Source source =
        new Source(
            """
            package user;
            import dev.leat.*;
            import dev.leat.flink.*;
            import org.apache.flink.api.common.typeinfo.TypeInformation;
            import org.apache.flink.streaming.api.datastream.DataStream;
            import org.apache.flink.util.OutputTag;
            class Program {
              Object define(DataStream<Play> plays, Dimension<String, Customer> customers,
                  Dimension<Long, Customer> byNumber, LocalDisk disk,
                  OutputTag<Play> playTag, OutputTag<String> textTag) {
                return
            %s;
              }
            }
            """
                .formatted(expression));
    try (JavaFileManager files = compiler.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
      JavaCompiler.CompilationTask task =
          compiler.getTask(null, files, diagnostics, List.of("-proc:none"), null, List.of(source));
      // Checks the program without writing classes.
      ((JavacTask) task).analyze();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> errors = new ArrayList<>();
    for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
      if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
        assertThat(diagnostic.getSource())
            .as("the error is in the program itself")
            .isEqualTo(source);
        errors.add(diagnostic.getMessage(Locale.ROOT));
      }
    }
    return errors;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///user/Program.java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
