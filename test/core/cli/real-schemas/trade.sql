-- A wholesaler: order lines with a key of two columns, several keys to one table, a hierarchy of employees, types of old schemas.
CREATE TABLE categories (category_id smallint PRIMARY KEY, category_name varchar(15) NOT NULL, description text, picture bytea);
CREATE TABLE suppliers (supplier_id smallint PRIMARY KEY, company_name varchar(40) NOT NULL, homepage text);
CREATE TABLE products (
  product_id smallint PRIMARY KEY,
  product_name varchar(40) NOT NULL,
  supplier_id smallint REFERENCES suppliers,
  category_id smallint REFERENCES categories,
  unit_price real,
  units_in_stock smallint,
  discontinued integer NOT NULL
);
CREATE TABLE region (region_id smallint PRIMARY KEY, region_description bpchar NOT NULL);
CREATE TABLE territories (
  territory_id varchar(20) PRIMARY KEY,
  territory_description bpchar NOT NULL,
  region_id smallint NOT NULL REFERENCES region
);
CREATE TABLE employees (
  employee_id smallint PRIMARY KEY,
  last_name varchar(20) NOT NULL,
  first_name varchar(10) NOT NULL,
  title varchar(30),
  birth_date date,
  reports_to smallint REFERENCES employees
);
CREATE TABLE employee_territories (
  employee_id smallint NOT NULL REFERENCES employees,
  territory_id varchar(20) NOT NULL REFERENCES territories,
  PRIMARY KEY (employee_id, territory_id)
);
CREATE TABLE customers (customer_id char(5) PRIMARY KEY, company_name varchar(40) NOT NULL, country varchar(15));
CREATE TABLE customer_demographics (customer_type_id bpchar PRIMARY KEY, customer_desc text);
CREATE TABLE customer_customer_demo (
  customer_id char(5) NOT NULL REFERENCES customers,
  customer_type_id bpchar NOT NULL REFERENCES customer_demographics,
  PRIMARY KEY (customer_id, customer_type_id)
);
CREATE TABLE shippers (shipper_id smallint PRIMARY KEY, company_name varchar(40) NOT NULL, phone varchar(24));
CREATE TABLE addresses (address_id int PRIMARY KEY, street text NOT NULL);
CREATE TABLE orders (
  order_id int PRIMARY KEY,
  customer_id char(5) REFERENCES customers,
  employee_id smallint REFERENCES employees,
  approved_by smallint REFERENCES employees,
  order_date date,
  ship_via smallint REFERENCES shippers,
  freight real,
  bill_address_id int REFERENCES addresses,
  ship_address_id int REFERENCES addresses,
  return_address_id int REFERENCES addresses
);
CREATE TABLE order_details (
  order_id int NOT NULL REFERENCES orders,
  product_id smallint NOT NULL REFERENCES products,
  unit_price real NOT NULL,
  quantity smallint NOT NULL,
  discount real NOT NULL DEFAULT 0,
  PRIMARY KEY (order_id, product_id)
);
CREATE TABLE order_detail_notes (
  note_id bigint PRIMARY KEY,
  order_id int NOT NULL,
  product_id smallint NOT NULL,
  note text,
  FOREIGN KEY (order_id, product_id) REFERENCES order_details
);
CREATE TABLE us_states (state_id smallint NOT NULL PRIMARY KEY, state_name varchar(100), state_abbr varchar(2));

INSERT INTO categories VALUES (1, 'Tea', 'Black & green', '\x'), (2, 'Oil', NULL, NULL);
INSERT INTO suppliers VALUES (1, 'Leaf', 'http://leaf.example#x'), (2, 'Press', NULL);
INSERT INTO products SELECT i, 'P' || i, 1 + i % 2, NULLIF(i % 3, 0), i * 1.5, i, i % 2 FROM generate_series(1, 10) i;
INSERT INTO region VALUES (1, 'North   '), (2, 'South');
INSERT INTO territories VALUES ('01581', 'West', 1), ('01730', 'East', 2);
INSERT INTO employees VALUES (1, 'Root', 'Ro', NULL, NULL, NULL), (2, 'Mid', 'Mi', 'Lead', '1970-01-01', 1), (3, 'Low', 'Lo', 'Rep', '0044-03-15 BC', 2);
INSERT INTO employee_territories VALUES (1, '01581'), (2, '01581'), (2, '01730');
INSERT INTO customers VALUES ('ALPHA', 'Alpha', 'France'), ('BETA', 'Beta', NULL);
INSERT INTO customer_demographics VALUES ('big', 'Large');
INSERT INTO customer_customer_demo VALUES ('ALPHA', 'big');
INSERT INTO shippers VALUES (1, 'Fast', '1');
INSERT INTO addresses VALUES (1, 'A'), (2, 'B');
INSERT INTO orders SELECT i, CASE i % 3 WHEN 0 THEN 'ALPHA' WHEN 1 THEN 'BETA' END, 1 + i % 3, NULLIF(i % 2, 0), '2024-01-01'::date + i, 1, i / 4.0, 1, 1 + i % 2, NULL FROM generate_series(1, 12) i;
INSERT INTO order_details SELECT o, p, p * 1.5, o, 0 FROM generate_series(1, 12) o, generate_series(1, 10) p WHERE (o + p) % 4 = 0;
INSERT INTO order_detail_notes SELECT row_number() OVER (), order_id, product_id, 'n' FROM order_details WHERE order_id < 5;
CREATE VIEW order_subtotals AS SELECT order_id, sum(unit_price * quantity * (1 - discount)) AS subtotal FROM order_details GROUP BY order_id;
CREATE VIEW "Products by Category" AS SELECT c.category_name AS "CategoryName", p.product_name AS "ProductName" FROM categories c JOIN products p USING (category_id);
