-- The Chinook database 1.4.5 by Luis Rocha: tables and keys. Licence: ../../chinook/db/LICENSE.md.
-- The same tables in the types of SQLite: one INTEGER PRIMARY KEY where a table has one, exact decimals and times as text.

CREATE TABLE album (
  album_id INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  artist_id INTEGER NOT NULL REFERENCES artist
);

CREATE TABLE artist (
  artist_id INTEGER PRIMARY KEY,
  name TEXT
);

CREATE TABLE customer (
  customer_id INTEGER PRIMARY KEY,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  company TEXT,
  address TEXT,
  city TEXT,
  state TEXT,
  country TEXT,
  postal_code TEXT,
  phone TEXT,
  fax TEXT,
  email TEXT NOT NULL,
  support_rep_id INTEGER REFERENCES employee
);

CREATE TABLE employee (
  employee_id INTEGER PRIMARY KEY,
  last_name TEXT NOT NULL,
  first_name TEXT NOT NULL,
  title TEXT,
  reports_to INTEGER REFERENCES employee,
  birth_date DATE,
  hire_date DATE,
  address TEXT,
  city TEXT,
  state TEXT,
  country TEXT,
  postal_code TEXT,
  phone TEXT,
  fax TEXT,
  email TEXT
);

CREATE TABLE genre (
  genre_id INTEGER PRIMARY KEY,
  name TEXT
);

CREATE TABLE invoice (
  invoice_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customer,
  invoice_date DATETIME NOT NULL,
  billing_address TEXT,
  billing_city TEXT,
  billing_state TEXT,
  billing_country TEXT,
  billing_postal_code TEXT,
  total DECIMAL TEXT NOT NULL
);

CREATE TABLE invoice_line (
  invoice_line_id INTEGER PRIMARY KEY,
  invoice_id INTEGER NOT NULL REFERENCES invoice,
  track_id INTEGER NOT NULL REFERENCES track,
  unit_price DECIMAL TEXT NOT NULL,
  quantity INTEGER NOT NULL
);

CREATE TABLE media_type (
  media_type_id INTEGER PRIMARY KEY,
  name TEXT
);

CREATE TABLE playlist (
  playlist_id INTEGER PRIMARY KEY,
  name TEXT
);

CREATE TABLE playlist_track (
  playlist_id INTEGER NOT NULL REFERENCES playlist,
  track_id INTEGER NOT NULL REFERENCES track,
  PRIMARY KEY (playlist_id, track_id)
);

CREATE TABLE track (
  track_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  album_id INTEGER REFERENCES album,
  media_type_id INTEGER NOT NULL REFERENCES media_type,
  genre_id INTEGER REFERENCES genre,
  composer TEXT,
  milliseconds INTEGER NOT NULL,
  bytes INTEGER,
  unit_price DECIMAL TEXT NOT NULL
);

CREATE INDEX album_artist_id_idx ON album (artist_id);
CREATE INDEX customer_support_rep_id_idx ON customer (support_rep_id);
CREATE INDEX employee_reports_to_idx ON employee (reports_to);
CREATE INDEX invoice_customer_id_idx ON invoice (customer_id);
CREATE INDEX invoice_line_invoice_id_idx ON invoice_line (invoice_id);
CREATE INDEX invoice_line_track_id_idx ON invoice_line (track_id);
CREATE INDEX playlist_track_playlist_id_idx ON playlist_track (playlist_id);
CREATE INDEX playlist_track_track_id_idx ON playlist_track (track_id);
CREATE INDEX track_album_id_idx ON track (album_id);
CREATE INDEX track_genre_id_idx ON track (genre_id);
CREATE INDEX track_media_type_id_idx ON track (media_type_id);

-- Documents are kept, because a column that is made by an expression has no type in SQLite: 04_documents.sql fills them.
CREATE TABLE tv_invoice_document (
  pk_invoice_document INTEGER PRIMARY KEY,
  data JSON TEXT NOT NULL
);
