package dev.leat.hive.internal;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What a {@code hive-site.xml} says of the metastore, as it lies in the configuration folder of
 * Hive's users. Variables within values are not replaced.
 */
public final class HiveSite {
  private static final String FILE = "hive-site.xml";
  private static final String URIS = "hive.metastore.uris";

  /** Properties that ask for a metastore that Leat cannot talk to, and the value that does not. */
  private static final Map<String, String> DEMANDS =
      Map.of(
          "hive.metastore.sasl.enabled", "false",
          "hive.metastore.use.SSL", "false",
          "hive.metastore.client.auth.mode", "NOSASL",
          "hive.metastore.client.thrift.transport.mode", "binary");

  private final String file;
  private final Map<String, String> properties;

  private HiveSite(String file, Map<String, String> properties) {
    this.file = file;
    this.properties = properties;
  }

  /**
   * Reads the file in a folder of this machine.
   *
   * @param folder a path, or a URI that begins with {@code file:}
   * @throws IllegalArgumentException if there is none that can be read
   */
  public static HiveSite in(String folder) {
    Path file;
    try {
      file =
          (folder.startsWith("file:") ? Path.of(URI.create(folder)) : Path.of(folder))
              .resolve(FILE);
    } catch (IllegalArgumentException | FileSystemNotFoundException e) {
      throw new IllegalArgumentException(
          "'" + folder + "' is no folder of this machine; write a path such as /opt/hive/conf", e);
    }
    try (InputStream in = Files.newInputStream(file)) {
      return new HiveSite(file.toString(), properties(in));
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new IllegalArgumentException(
          file + " cannot be read (" + e + "); it is looked for where the query is planned", e);
    }
  }

  private static Map<String, String> properties(InputStream in)
      throws IOException, SAXException, ParserConfigurationException {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
    // Nothing outside of the file is read.
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    Document document = factory.newDocumentBuilder().parse(in);
    Map<String, String> properties = new LinkedHashMap<>();
    NodeList all = document.getElementsByTagName("property");
    for (int i = 0; i < all.getLength(); i++) {
      Optional<String> name = child(all.item(i), "name");
      Optional<String> value = child(all.item(i), "value");
      if (name.isPresent() && value.isPresent()) {
        properties.put(name.get(), value.get());
      }
    }
    return properties;
  }

  private static Optional<String> child(Node property, String name) {
    NodeList found = ((Element) property).getElementsByTagName(name);
    return found.getLength() == 0
        ? Optional.empty()
        : Optional.of(found.item(0).getTextContent().strip());
  }

  /**
   * Where the metastore is.
   *
   * @throws IllegalArgumentException if the file does not say it
   * @throws LeatException {@code UNSUPPORTED_METASTORE} if the metastore wants to know who calls in
   *     a way that is not supported
   */
  public MetastoreAddress metastore() {
    DEMANDS.forEach(
        (property, harmless) -> {
          String value = properties.getOrDefault(property, harmless);
          if (!value.isEmpty() && !value.equalsIgnoreCase(harmless)) {
            throw new LeatException(
                ErrorCode.UNSUPPORTED_METASTORE,
                file
                    + " has '"
                    + property
                    + "' = '"
                    + value
                    + "', and Leat talks to metastores without authentication, over plain Thrift,"
                    + " only; offer it such a one inside your network, or declare the tables with"
                    + " CREATE TABLE … WITH ('connector' = 'leat', …)");
          }
        });
    String uris = properties.getOrDefault(URIS, "");
    if (uris.isEmpty()) {
      throw new IllegalArgumentException(
          file + " does not say where the metastore is; add the property " + URIS);
    }
    return MetastoreAddress.parse(uris);
  }
}
