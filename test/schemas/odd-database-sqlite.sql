-- The twin of odd-database.sql for SQLite, as far as SQLite has the same things.

CREATE TABLE customer (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name VARCHAR(40) NOT NULL,
  mood TEXT NOT NULL DEFAULT 'happy' CHECK (mood IN ('happy', 'so-so', 'sad today', 'N/A')),
  home JSON,
  lower_name TEXT GENERATED ALWAYS AS (lower(name)) STORED,
  initial TEXT AS (substr(name, 1, 1)) VIRTUAL,
  password_hash TEXT,
  credit DECIMAL(10, 2) NOT NULL DEFAULT 0,
  invited_by INTEGER REFERENCES customer,
  created_at DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX customer_lower ON customer (lower(email));
CREATE INDEX customer_happy ON customer (created_at DESC) WHERE mood = 'happy';
CREATE UNIQUE INDEX customer_name_when_happy ON customer (name) WHERE mood = 'happy';
CREATE UNIQUE INDEX customer_expression ON customer (lower(name), id);
CREATE INDEX customer_name ON customer (name COLLATE NOCASE, id);

CREATE TABLE every_type (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  a_boolean BOOLEAN, an_int INT, a_bigint BIGINT, a_real REAL, a_double DOUBLE PRECISION, a_numeric NUMERIC, a_decimal DECIMAL(12, 4),
  a_text TEXT, a_varchar VARCHAR(20), a_char CHAR(3), a_blob BLOB, a_date DATE, a_time TIME, a_datetime DATETIME, a_timestamp TIMESTAMP,
  a_uuid UUID, a_json JSON, a_jsonb JSONB, no_type, an_odd_type "ODD TYPE"
);

CREATE TABLE "Order" (
  id INTEGER PRIMARY KEY,
  "customerId" INTEGER NOT NULL REFERENCES customer ON DELETE CASCADE,
  "select" TEXT,
  "from" DATE,
  "Total Amount" DECIMAL(10, 2) NOT NULL DEFAULT 0,
  "a.b" TEXT,
  "quo""te" TEXT,
  "it's" TEXT,
  "2nd" TEXT,
  "größe" TEXT,
  "日本" TEXT,
  "hy-phen" TEXT,
  "__typename" TEXT,
  " " TEXT
);
CREATE INDEX "Index of Order" ON "Order" ("Total Amount", "a.b");
CREATE TABLE "user" ("group" TEXT PRIMARY KEY, "table" INTEGER, "order" INTEGER UNIQUE REFERENCES "order");
CREATE TABLE "dotted.table" ("id.x" INTEGER PRIMARY KEY, "ref.y" INTEGER REFERENCES "dotted.table");
CREATE TABLE "table with spaces" ("the id" INTEGER PRIMARY KEY, "user name" TEXT, user_name TEXT, "userName" TEXT);
CREATE TABLE table_with_spaces (id INTEGER PRIMARY KEY);
CREATE TABLE "TableWithSpaces" (id INTEGER PRIMARY KEY);
CREATE TABLE "Größe 日本 😀" (id INTEGER PRIMARY KEY, wert TEXT);
CREATE TABLE "1st" (id INTEGER PRIMARY KEY);
CREATE TABLE "Query" (id INTEGER PRIMARY KEY, type TEXT);
CREATE TABLE status (id INTEGER PRIMARY KEY, status TEXT, customer_id INTEGER REFERENCES customer, customer TEXT);

CREATE TABLE order_line (
  order_id INTEGER NOT NULL REFERENCES "Order",
  line_no INTEGER NOT NULL,
  product TEXT NOT NULL,
  sku TEXT,
  supplier TEXT,
  replaces_order INTEGER,
  replaces_line INTEGER,
  PRIMARY KEY (order_id, line_no),
  UNIQUE (supplier, sku),
  FOREIGN KEY (replaces_order, replaces_line) REFERENCES order_line (order_id, line_no)
) WITHOUT ROWID;
CREATE TABLE shipment (
  id TEXT PRIMARY KEY,
  line_no INTEGER NOT NULL,
  order_id INTEGER NOT NULL,
  supplier TEXT,
  sku TEXT,
  CONSTRAINT "shipped line" FOREIGN KEY (line_no, order_id) REFERENCES order_line (line_no, order_id),
  FOREIGN KEY (supplier, sku) REFERENCES order_line (supplier, sku)
);
CREATE TABLE employee (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT REFERENCES customer (email),
  manager_id INTEGER REFERENCES employee,
  mentor_id INTEGER REFERENCES employee,
  assistant_id INTEGER UNIQUE REFERENCES employee
);
CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, favourite_book_id INTEGER REFERENCES book DEFERRABLE);
CREATE TABLE book (
  id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  isbn TEXT UNIQUE,
  author_id INTEGER NOT NULL REFERENCES author DEFERRABLE INITIALLY DEFERRED
);
CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE book_tag (book_id INTEGER REFERENCES book, tag_id INTEGER REFERENCES tag, PRIMARY KEY (book_id, tag_id));
CREATE TABLE book_reader (book_id INTEGER NOT NULL REFERENCES book, employee_id INTEGER NOT NULL REFERENCES employee);
CREATE TABLE profile (employee_id INTEGER PRIMARY KEY REFERENCES employee, bio TEXT);
CREATE TABLE log_line (at DATETIME NOT NULL, line TEXT);
-- The table that the key references does not exist. SQLite accepts that.
CREATE TABLE dangling (id INTEGER PRIMARY KEY, lost_id INTEGER REFERENCES lost);

CREATE VIEW v_customer AS SELECT id, email, name, mood, lower_name, home FROM customer;
CREATE VIEW v_happy_customer AS SELECT id, name AS "Display Name" FROM v_customer WHERE mood = 'happy';
CREATE VIEW v_order_customer AS
  SELECT o.id AS order_id, o."Total Amount", c.id AS customer_id, c.name FROM "Order" o JOIN customer c ON c.id = o."customerId";
CREATE VIEW v_customer_total AS
  SELECT c.id, c.name, count(o.id) AS orders, sum(o."Total Amount") AS total
  FROM customer c LEFT JOIN "Order" o ON o."customerId" = c.id GROUP BY c.id;
CREATE VIEW v_line AS SELECT order_id, line_no, product FROM order_line;
-- The table of the view does not exist, so the view cannot be read.
CREATE VIEW v_broken AS SELECT * FROM lost;

INSERT INTO customer (id, email, name, mood, home, password_hash, invited_by) VALUES
  (1, 'ada@example.com', 'Ada', 'happy', '{"city":"London"}', 'x', NULL),
  (2, 'bob@example.com', 'Bob', 'sad today', NULL, 'y', 1),
  (3, 'cy@example.com', 'Cy "the ü" O''Neil', 'N/A', NULL, NULL, 1);
INSERT INTO every_type DEFAULT VALUES;
INSERT INTO "Order" (id, "customerId", "select", "from", "Total Amount", "a.b") VALUES
  (1, 1, 'all', '2024-01-01', 12.50, 'dot'), (2, 2, NULL, NULL, 0, NULL), (3, 1, 'none', '2024-03-01', 99.99, '');
INSERT INTO "user" VALUES ('admin', 1, 1), ('guest', 2, NULL);
INSERT INTO "dotted.table" VALUES (1, NULL), (2, 1);
INSERT INTO "table with spaces" VALUES (1, 'a', 'b', 'c');
INSERT INTO table_with_spaces VALUES (1);
INSERT INTO "TableWithSpaces" VALUES (2);
INSERT INTO "Größe 日本 😀" VALUES (1, 'groß');
INSERT INTO "1st" VALUES (1);
INSERT INTO "Query" VALUES (1, 'kind');
INSERT INTO status VALUES (1, 'open', 1, 'text'), (2, NULL, NULL, NULL);
INSERT INTO order_line VALUES (1, 1, 'pen', 's1', 'acme', NULL, NULL), (1, 2, 'ink', 's2', 'acme', 1, 1), (2, 1, 'paper', NULL, NULL, NULL, NULL);
INSERT INTO shipment VALUES
  ('00000000-0000-0000-0000-000000000001', 1, 1, 'acme', 's1'), ('00000000-0000-0000-0000-000000000002', 1, 2, NULL, NULL);
INSERT INTO employee VALUES (1, 'Eve', 'ada@example.com', NULL, NULL, NULL), (2, 'Fay', NULL, 1, NULL, NULL), (3, 'Gus', NULL, 1, 2, 2);
INSERT INTO author VALUES (1, 'Hesse', NULL), (2, 'Ide', NULL);
INSERT INTO book VALUES (1, 'Demian', '978-1', 1), (2, 'Steppe', NULL, 1), (3, 'Field', '978-3', 2);
UPDATE author SET favourite_book_id = 3 WHERE id = 1;
INSERT INTO tag VALUES (1, 'novel'), (2, 'old');
INSERT INTO book_tag VALUES (1, 1), (1, 2), (2, 1);
INSERT INTO book_reader VALUES (1, 1), (1, 1), (2, 3);
INSERT INTO profile VALUES (1, 'Leads');
INSERT INTO log_line VALUES ('2024-01-01 00:00:00', 'started'), ('2024-01-01 00:00:00', 'started');
