-- Rows as people have them: 120,001 authors, of whom one wrote a tenth of all posts, 100,000 one each, and the rest by a
-- Zipf distribution; texts, tags, documents and states of the same kind. `:posts` is how many posts there are, 2,000,000 unless
-- a quick run wants fewer. Everything is made of the number of the row, so that two databases have the same rows.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
SET synchronous_commit = off;
SET max_parallel_maintenance_workers = 2;
SET maintenance_work_mem = '512MB';

-- 0 to 1 from a number, the same each time.
CREATE FUNCTION real_share(n bigint, salt text) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT (hashtextextended(salt || n, 0) & 9007199254740991) / 9007199254740992.0 $$;
-- 1 to `most`: small ones are frequent (Zipf with the exponent 1).
CREATE FUNCTION real_zipf(n bigint, salt text, most int) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT least(most, floor(power(most + 1, real_share(n, salt))))::int $$;

CREATE TABLE author (
  pk_author int PRIMARY KEY, id uuid NOT NULL UNIQUE, name text NOT NULL, email text NOT NULL, country text NOT NULL,
  made_at timestamptz NOT NULL);
INSERT INTO author SELECT n, md5('author:' || n)::uuid, 'Author ' || md5(n::text), 'mail' || n || '@example.org',
  'c' || real_zipf(n, 'country', 200), '2015-01-01'::timestamptz + n * interval '40 minutes'
  FROM generate_series(1, 120001) n;

CREATE TABLE word (place int PRIMARY KEY, word text NOT NULL);
INSERT INTO word SELECT n, substr(translate(md5('word:' || n), '0123456789', 'ghijklmnop'), 1, 4 + n % 6)
  FROM generate_series(1, 20000) n;

CREATE TABLE post (
  pk_post int PRIMARY KEY, id uuid NOT NULL, fk_author int NOT NULL, title text NOT NULL, slug text NOT NULL, body text NOT NULL,
  status text NOT NULL, score int NOT NULL, tags text[] NOT NULL, doc jsonb NOT NULL, made_at timestamptz NOT NULL,
  search_vector tsvector NOT NULL);
INSERT INTO post SELECT n, md5('post:' || n)::uuid,
  CASE WHEN n % 10 = 0 THEN 1 WHEN n % 20 = 1 AND n / 20 < 100000 THEN 2 + n / 20 ELSE 100001 + real_zipf(n, 'author', 20000) END,
  title, 'p-' || md5('slug:' || n), body,
  CASE WHEN n % 10000 = 7 THEN 'state' || real_zipf(n, 'state', 40) WHEN real_share(n, 'status') < 0.1 THEN 'draft' ELSE 'published' END,
  floor(1000000 * power(real_share(n, 'score'), 3))::int,
  ARRAY['t' || real_zipf(n, 'tag1', 5000), 't' || real_zipf(n, 'tag2', 5000)],
  jsonb_build_object('ref', n / 8, 'kind', 'k' || real_zipf(n, 'kind', 1000), 'size', n % 977),
  '2018-01-01'::timestamptz + n * interval '2 minutes', to_tsvector('english', title || ' ' || body)
  FROM generate_series(1, :posts) n
  CROSS JOIN LATERAL (SELECT string_agg(word, ' ' ORDER BY k) AS body FROM generate_series(1, 24) k
    JOIN word w ON w.place = real_zipf(n * 24::bigint + k, 'word', 20000)) b
  CROSS JOIN LATERAL (SELECT (SELECT word FROM word w WHERE w.place = real_zipf(n, 'title', 20000)) || ' ' || substr(md5('title:' || n), 1, 16) AS title) c;

CREATE TABLE comment (
  pk_comment int PRIMARY KEY, id uuid NOT NULL, fk_post int NOT NULL, body text NOT NULL, likes int NOT NULL, made_at timestamptz NOT NULL);
INSERT INTO comment SELECT n, md5('comment:' || n)::uuid,
  CASE WHEN n % 4 = 0 THEN real_zipf(n, 'post', :posts) ELSE 1 + floor(:posts * real_share(n, 'even'))::int END,
  'Comment ' || md5(n::text), floor(100 * power(real_share(n, 'likes'), 2))::int, '2018-01-01'::timestamptz + n * interval '2 minutes'
  FROM generate_series(1, :posts) n;

CREATE INDEX ON author (email); CREATE INDEX ON author (country);
CREATE UNIQUE INDEX ON post (id);
CREATE INDEX ON post (fk_author, made_at); CREATE INDEX ON post (status, made_at); CREATE INDEX ON post (made_at DESC, pk_post);
CREATE INDEX ON post (slug text_pattern_ops);
CREATE INDEX ON post USING gin (title gin_trgm_ops); CREATE INDEX ON post USING gin (doc jsonb_path_ops);
CREATE INDEX ON post USING gin (search_vector);
CREATE INDEX ON comment (fk_post, made_at);
ALTER TABLE post ADD FOREIGN KEY (fk_author) REFERENCES author; ALTER TABLE comment ADD FOREIGN KEY (fk_post) REFERENCES post;
VACUUM ANALYZE author; VACUUM ANALYZE post; VACUUM ANALYZE comment;
