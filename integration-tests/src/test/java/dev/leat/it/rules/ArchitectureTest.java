package dev.leat.it.rules;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyHaveDependentClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Who may depend on whom. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArchitectureTest {

  private final JavaClasses core = classesOf(Published.CORE);
  private final JavaClasses flink = classesOf(Published.FLINK);
  private final JavaClasses alluxio = classesOf(Published.ALLUXIO);
  private final JavaClasses hive = classesOf(Published.HIVE);
  private final JavaClasses published = classesOf(Published.values());

  private static JavaClasses classesOf(Published... artifacts) {
    return new ClassFileImporter()
        .importPaths(Arrays.stream(artifacts).map(Published::classes).toList());
  }

  @Test
  void theCoreKnowsNeitherFlinkNorAlluxioNorHadoop() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.flink..",
            "alluxio..",
            "org.apache.hadoop..",
            "software.amazon..",
            "dev.leat.flink..",
            "dev.leat.alluxio..",
            "dev.leat.s3..",
            "dev.leat.testkit..")
        .check(core);
  }

  @Test
  void theFlinkModuleKnowsNoStore() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "alluxio..",
            "org.apache.hadoop..",
            "software.amazon..",
            "dev.leat.alluxio..",
            "dev.leat.s3..",
            "dev.leat.testkit..")
        .check(flink);
  }

  @Test
  void theStoresKnowNoFlink() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.flink..", "dev.leat.flink..", "dev.leat.testkit..")
        .allowEmptyShould(true)
        .check(alluxio);
  }

  @Test
  void theMetastoreKnowsNoStoreAndItsCatalogAloneKnowsFlink() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "alluxio..",
            "org.apache.hadoop..",
            "software.amazon..",
            "dev.leat.alluxio..",
            "dev.leat.s3..",
            "dev.leat.flink.internal..",
            "dev.leat.testkit..")
        .check(hive);
    noClasses()
        .that(resideOutsideOfPackage("dev.leat.hive.catalog.."))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.flink..", "dev.leat.flink..", "dev.leat.hive.catalog..")
        .check(hive);
  }

  @Test
  void theInsideIsUsedByTheProjectOnly() {
    classes()
        .that(resideInAPackage("dev.leat.internal.."))
        .should(
            onlyHaveDependentClassesThat(
                resideInAnyPackage(
                    "dev.leat.internal..",
                    "dev.leat",
                    "dev.leat.format..",
                    "dev.leat.flink..",
                    "dev.leat.testkit..",
                    "dev.leat.alluxio..",
                    "dev.leat.avro..",
                    "dev.leat.orc..",
                    "dev.leat.parquet..",
                    "dev.leat.s3..")))
        .allowEmptyShould(true)
        .check(published);
  }

  @Test
  void theOperatorsAreUsedByTheFlinkModuleOnly() {
    classes()
        .that(resideInAPackage("dev.leat.flink.internal.."))
        .should(onlyHaveDependentClassesThat(resideInAPackage("dev.leat.flink..")))
        .allowEmptyShould(true)
        .check(published);
  }

  @Test
  void samplesNameThePublicApiOnly() {
    noClasses()
        .should()
        .dependOnClassesThat(resideInAnyPackage("dev.leat.internal..", "dev.leat.flink.internal.."))
        .check(
            new ClassFileImporter()
                .importPath(Published.checkout().resolve("samples/target/classes")));
  }

  @Test
  void thePackagesInsideHaveNoCycles() {
    slices()
        .matching("dev.leat.internal.(*)..")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true)
        .check(published);
    slices()
        .matching("dev.leat.flink.internal.(*)..")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true)
        .check(published);
  }

  @Test
  void onlyTheSpiAndTheInsideStandBetweenTheModules() {
    noClasses()
        .that(resideInAPackage("dev.leat.spi.."))
        .should()
        .dependOnClassesThat(resideInAPackage("dev.leat.internal.."))
        .check(core);
  }

  @Test
  void everyPackageIsNullMarked() throws Exception {
    Set<String> unmarked = new TreeSet<>();
    for (JavaClass type : published) {
      if (!isNullMarked(type.getPackageName())) {
        unmarked.add(type.getPackageName());
      }
    }
    assertThat(unmarked).as("packages without @NullMarked in package-info.java").isEmpty();
  }

  private static boolean isNullMarked(String packageName) {
    try {
      return Class.forName(packageName + ".package-info").isAnnotationPresent(NullMarked.class);
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Test
  void noStaticFieldOfTheProductCanChange() {
    com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields()
        .that()
        .areStatic()
        .should()
        .beFinal()
        .check(published);
  }

  @Test
  void noTestIsSwitchedOffAndNoneAssumes() throws IOException {
    JavaClasses tests = new ClassFileImporter().importPaths(testClasses());
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("org.junit.jupiter.api.Assumptions")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("org.assertj.core.api.Assumptions")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("org.junit.jupiter.api.Disabled")
        .orShould()
        .dependOnClassesThat()
        .resideInAnyPackage("org.junit.jupiter.api.condition..", "org.junit", "org.junit.runner..")
        .check(tests);
    noMethods().should().beAnnotatedWith("org.junit.jupiter.api.Disabled").check(tests);
  }

  private static List<Path> testClasses() throws IOException {
    try (Stream<Path> modules = Files.list(Published.checkout())) {
      return modules
          .map(module -> module.resolve("target/test-classes"))
          .filter(Files::isDirectory)
          .collect(Collectors.toList());
    }
  }
}
