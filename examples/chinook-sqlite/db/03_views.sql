-- What the API reads. One flat view per type: `id` is public, `pk_` and `fk_` columns join and page, the rest are fields.

CREATE VIEW v_artist AS
SELECT artist_id AS id, artist_id AS pk_artist, name
FROM artist;

CREATE VIEW v_album AS
SELECT album_id AS id, album_id AS pk_album, artist_id AS fk_artist, title
FROM album;

CREATE VIEW v_genre AS
SELECT genre_id AS id, genre_id AS pk_genre, name
FROM genre;

CREATE VIEW v_media_type AS
SELECT media_type_id AS id, media_type_id AS pk_media_type, name
FROM media_type;

CREATE VIEW v_track AS
SELECT track_id AS id, track_id AS pk_track, album_id AS fk_album, media_type_id AS fk_media_type,
       genre_id AS fk_genre, name, composer, milliseconds, bytes, unit_price,
       CASE WHEN milliseconds < 180000 THEN 'short'
            WHEN milliseconds < 600000 THEN 'regular'
            ELSE 'long' END AS length
FROM track;

CREATE VIEW v_playlist AS
SELECT p.playlist_id AS id, p.playlist_id AS pk_playlist, p.name,
       CAST((SELECT count(*) FROM playlist_track pt WHERE pt.playlist_id = p.playlist_id) AS INTEGER) AS track_count
FROM playlist p;

-- The table between playlists and tracks.
CREATE VIEW v_playlist_track AS
SELECT playlist_id || '-' || track_id AS id, playlist_id AS fk_playlist, track_id AS fk_track
FROM playlist_track;

CREATE VIEW v_employee AS
SELECT employee_id AS id, employee_id AS pk_employee, reports_to AS fk_reports_to, first_name, last_name, email, title,
       birth_date, hire_date, city, country
FROM employee;

CREATE VIEW v_customer AS
SELECT customer_id AS id, customer_id AS pk_customer, support_rep_id AS fk_support_rep, first_name, last_name, email,
       company, phone, city, state, country
FROM customer;

CREATE VIEW v_invoice AS
SELECT invoice_id AS id, invoice_id AS pk_invoice, customer_id AS fk_customer,
       invoice_date, billing_city, billing_country, total
FROM invoice;

CREATE VIEW v_invoice_line AS
SELECT invoice_line_id AS id, invoice_line_id AS pk_invoice_line, invoice_id AS fk_invoice, track_id AS fk_track,
       unit_price, quantity
FROM invoice_line;

-- An interface: the rows of all its types in one view. `__typename` says which type a row is.
CREATE VIEW v_person AS
SELECT 'Customer' AS "__typename", id, pk_customer, NULL AS pk_employee, fk_support_rep,
       NULL AS fk_reports_to, first_name, last_name, email, company, phone, NULL AS title,
       NULL AS birth_date, NULL AS hire_date, city, state, country
FROM v_customer
UNION ALL
SELECT 'Employee', id, NULL, pk_employee, NULL,
       fk_reports_to, first_name, last_name, email, NULL, NULL, title,
       birth_date, hire_date, city, NULL, country
FROM v_employee;

-- A union: what sold best, whatever it is.
CREATE VIEW v_best_seller AS
WITH sale AS (
  SELECT l.track_id, t.album_id, a.artist_id, l.unit_price * l.quantity AS amount
  FROM invoice_line l JOIN track t ON t.track_id = l.track_id JOIN album a ON a.album_id = t.album_id
), best_artist AS (
  SELECT artist_id, round(sum(amount), 2) AS revenue FROM sale GROUP BY artist_id ORDER BY revenue DESC, artist_id LIMIT 5
), best_album AS (
  SELECT album_id, round(sum(amount), 2) AS revenue FROM sale GROUP BY album_id ORDER BY revenue DESC, album_id LIMIT 5
), best_track AS (
  SELECT track_id, round(sum(amount), 2) AS revenue FROM sale GROUP BY track_id ORDER BY revenue DESC, track_id LIMIT 5
)
SELECT 'Artist' AS "__typename", a.id, a.pk_artist, NULL AS pk_album, NULL AS pk_track, a.name,
       NULL AS fk_artist, NULL AS title, NULL AS fk_album, NULL AS fk_media_type,
       NULL AS fk_genre, NULL AS composer, NULL AS milliseconds, NULL AS bytes,
       NULL AS unit_price, NULL AS length
FROM best_artist b JOIN v_artist a ON a.pk_artist = b.artist_id
UNION ALL
SELECT 'Album', a.id, NULL, a.pk_album, NULL, NULL,
       a.fk_artist, a.title, NULL, NULL,
       NULL, NULL, NULL, NULL,
       NULL, NULL
FROM best_album b JOIN v_album a ON a.pk_album = b.album_id
UNION ALL
SELECT 'Track', t.id, NULL, NULL, t.pk_track, t.name,
       NULL, NULL, t.fk_album, t.fk_media_type,
       t.fk_genre, t.composer, t.milliseconds, t.bytes,
       t.unit_price, t.length
FROM best_track b JOIN v_track t ON t.pk_track = b.track_id;

-- The other form of a source: `id` and one JSON document with everything embedded.
CREATE VIEW v_invoice_document AS
SELECT pk_invoice_document AS id, pk_invoice_document, data FROM tv_invoice_document;
