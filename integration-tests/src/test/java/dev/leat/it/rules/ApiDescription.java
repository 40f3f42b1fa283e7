package dev.leat.it.rules;

import java.io.IOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.TypeVariable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The API of an artifact as text: every public type outside {@code internal} packages with its
 * public and protected members, sorted; then the names of the public types inside {@code internal}
 * packages, which are front doors for sister modules and no API.
 */
final class ApiDescription {

  private static final Set<String> SAID_BY_EVERY_VALUE =
      Set.of("public boolean equals(Object)", "public int hashCode()", "public String toString()");

  private ApiDescription() {}

  static String of(Path classes) throws IOException, ClassNotFoundException {
    List<Class<?>> types = publicTypes(classes);
    List<Class<?>> api = types.stream().filter(t -> !isInternal(t)).toList();
    List<Class<?>> internal = types.stream().filter(ApiDescription::isInternal).toList();
    StringBuilder text = new StringBuilder();
    text.append("# ").append(api.size()).append(" public types\n");
    for (Class<?> type : api) {
      text.append('\n').append(describe(type));
    }
    text.append("\n# ").append(internal.size()).append(" front doors inside, no API\n");
    for (Class<?> type : internal) {
      text.append("# ").append(type.getName()).append('\n');
    }
    return text.toString();
  }

  private static List<Class<?>> publicTypes(Path classes)
      throws IOException, ClassNotFoundException {
    List<String> names;
    try (Stream<Path> files = Files.walk(classes)) {
      names =
          files
              .map(file -> classes.relativize(file).toString())
              .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
              .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
              .sorted()
              .toList();
    }
    List<Class<?>> types = new ArrayList<>();
    for (String name : names) {
      Class<?> type = Class.forName(name, false, ApiDescription.class.getClassLoader());
      if (isVisible(type)) {
        types.add(type);
      }
    }
    return types;
  }

  private static boolean isVisible(Class<?> type) {
    for (Class<?> t = type; t != null; t = t.getEnclosingClass()) {
      if (t.isAnonymousClass()
          || t.isLocalClass()
          || t.isSynthetic()
          || !isVisible(t.getModifiers())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static boolean isInternal(Class<?> type) {
    return ("." + type.getPackageName() + ".").contains(".internal.");
  }

  private static String describe(Class<?> type) {
    StringBuilder text = new StringBuilder(header(type)).append(" {\n");
    Stream.<Stream<String>>of(
            Arrays.stream(type.getDeclaredFields())
                .filter(ApiDescription::isListed)
                .map(ApiDescription::describe),
            Arrays.stream(type.getDeclaredConstructors())
                .filter(ApiDescription::isListed)
                .map(ApiDescription::describe),
            Arrays.stream(type.getDeclaredMethods())
                .filter(ApiDescription::isListed)
                .map(ApiDescription::describe))
        .flatMap(Stream::sorted)
        .filter(member -> !SAID_BY_EVERY_VALUE.contains(member.replace("final ", "")))
        .forEach(member -> text.append("  ").append(member).append('\n'));
    return text.append("}\n").toString();
  }

  private static boolean isListed(Member member) {
    return isVisible(member.getModifiers()) && !member.isSynthetic();
  }

  private static String header(Class<?> type) {
    int ignored = type.isInterface() || type.isAnnotation() ? Modifier.ABSTRACT : 0;
    ignored |= type.isEnum() || type.isRecord() ? Modifier.FINAL | Modifier.STATIC : 0;
    ignored |= Modifier.INTERFACE;
    StringBuilder text = new StringBuilder(modifiers(type.getModifiers() & ~ignored));
    if (type.isSealed()) {
      text.append("sealed ");
    }
    text.append(kind(type))
        .append(' ')
        .append(type.getName())
        .append(typeVariables(type.getTypeParameters()));
    if (type.getAnnotatedSuperclass() != null
        && type.getSuperclass() != Object.class
        && !type.isEnum()
        && !type.isRecord()) {
      text.append(" extends ").append(name(type.getAnnotatedSuperclass()));
    }
    if (type.getInterfaces().length > 0) {
      text.append(type.isInterface() ? " extends " : " implements ")
          .append(names(type.getAnnotatedInterfaces()));
    }
    return text.toString();
  }

  private static String kind(Class<?> type) {
    if (type.isAnnotation()) {
      return "@interface";
    }
    if (type.isInterface()) {
      return "interface";
    }
    if (type.isEnum()) {
      return "enum";
    }
    return type.isRecord() ? "record" : "class";
  }

  private static String describe(Field field) {
    return modifiers(field.getModifiers())
        + (field.isEnumConstant() ? "" : name(field.getAnnotatedType()) + " ")
        + field.getName();
  }

  private static String describe(Constructor<?> constructor) {
    return modifiers(constructor.getModifiers())
        + constructor.getDeclaringClass().getSimpleName()
        + parameters(constructor);
  }

  private static String describe(Method method) {
    String variables = typeVariables(method.getTypeParameters());
    return modifiers(method.getModifiers() & ~Modifier.TRANSIENT & ~Modifier.VOLATILE)
        + (method.isDefault() ? "default " : "")
        + (variables.isEmpty() ? "" : variables + " ")
        + name(method.getAnnotatedReturnType())
        + " "
        + method.getName()
        + parameters(method);
  }

  private static String parameters(Executable executable) {
    String text = "(" + names(executable.getAnnotatedParameterTypes()) + ")";
    if (executable.isVarArgs()) {
      text = text.replaceFirst("\\[\\]\\)$", "...)");
    }
    return executable.getExceptionTypes().length == 0
        ? text
        : text + " throws " + names(executable.getAnnotatedExceptionTypes());
  }

  private static String typeVariables(TypeVariable<?>[] variables) {
    if (variables.length == 0) {
      return "";
    }
    return Arrays.stream(variables)
        .map(
            variable -> {
              String bounds =
                  Arrays.stream(variable.getAnnotatedBounds())
                      .map(ApiDescription::name)
                      .collect(Collectors.joining(" & "));
              return bounds.equals("Object")
                  ? variable.getName()
                  : variable.getName() + " extends " + bounds;
            })
        .collect(Collectors.joining(", ", "<", ">"));
  }

  private static String names(AnnotatedType[] types) {
    return Arrays.stream(types).map(ApiDescription::name).collect(Collectors.joining(", "));
  }

  /** The type with its nullness, without the packages that go without saying. */
  private static String name(AnnotatedType type) {
    return type.toString()
        .replace("@org.jspecify.annotations.Nullable()", "@Nullable")
        .replaceAll("\\bjava\\.(?:lang|util|time|io|util\\.function)\\.(?=[A-Z@])", "");
  }

  private static String modifiers(int modifiers) {
    String text = Modifier.toString(modifiers);
    return text.isEmpty() ? "" : text + " ";
  }
}
