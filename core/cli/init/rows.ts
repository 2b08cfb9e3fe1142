/** db/04_data.sql of a new project. */
export const DATA_SQL = `-- A few rows to start with.

INSERT INTO tb_author (id, name, email, bio) VALUES
  ('00000000-0000-4000-8000-000000000001', 'Ada Lovelace', 'ada@example.org', 'Writes about engines'),
  ('00000000-0000-4000-8000-000000000002', 'Grace Hopper', 'grace@example.org', NULL);

INSERT INTO tb_post (id, fk_author, slug, title, body, status, published_at) VALUES
  ('00000000-0000-4000-8000-000000000011', (SELECT pk_author FROM tb_author WHERE email = 'ada@example.org'),
   'notes-on-the-engine', 'Notes on the engine', 'It weaves algebraic patterns.', 'published', '2026-01-05T09:00:00Z'),
  ('00000000-0000-4000-8000-000000000012', (SELECT pk_author FROM tb_author WHERE email = 'grace@example.org'),
   'the-first-bug', 'The first bug', 'Found in relay 70, panel F.', 'published', '2026-01-09T15:45:00Z'),
  ('00000000-0000-4000-8000-000000000013', (SELECT pk_author FROM tb_author WHERE email = 'ada@example.org'),
   'on-flying', 'On flying', 'To be written.', 'draft', NULL);

INSERT INTO tb_comment (id, fk_post, fk_author, body)
SELECT '00000000-0000-4000-8000-000000000021', p.pk_post, a.pk_author, 'As a loom weaves flowers and leaves?'
FROM tb_post p, tb_author a WHERE p.slug = 'notes-on-the-engine' AND a.email = 'grace@example.org';

INSERT INTO tb_tag (name) VALUES ('engines'), ('debugging');

INSERT INTO tb_post_tag (fk_post, fk_tag)
SELECT p.pk_post, t.pk_tag FROM tb_post p, tb_tag t
WHERE (p.slug, t.name) IN (VALUES ('notes-on-the-engine', 'engines'), ('the-first-bug', 'engines'), ('the-first-bug', 'debugging'));
`
