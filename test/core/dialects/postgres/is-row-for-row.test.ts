import t from 'tap'
import { isRowForRow } from '../../../../core/dialects/postgres/catalog/is-row-for-row.ts'

const SETS = new Set(['unnest', 'generate_series'])

t.test('a view of one relation keeps what is unique', async (t) => {
  for (const definition of [
    ' SELECT pk_post,\n    id,\n    title\n   FROM tb_post;',
    ' SELECT p.pk_post,\n    upper(p.title) AS title\n   FROM blog.tb_post p\n  WHERE (p.deleted_at IS NULL);',
    ' SELECT pk_post,\n    \' FROM a, b JOIN c\' AS note,\n    "from"\n   FROM ONLY tb_post\n  ORDER BY pk_post\n LIMIT 5;',
    ' SELECT p.id,\n    ( SELECT jsonb_agg(c.*) AS jsonb_agg\n           FROM (tb_comment c\n             JOIN tb_user u ON ((u.pk_user = c.fk_user)))) AS data\n   FROM tb_post p;',
    ' SELECT id,\n    EXTRACT(year FROM made) AS y\n   FROM "Odd, name" o;',
  ]) {
    t.ok(isRowForRow(definition, SETS), definition)
  }
})

t.test('a view that can give a row twice is not row for row', async (t) => {
  for (const definition of [
    ' SELECT p.pk_post\n   FROM (tb_post p\n     JOIN tb_tag t ON (true));',
    ' SELECT p.pk_post\n   FROM tb_post p,\n    tb_tag t;',
    ' SELECT p.pk_post\n   FROM tb_post p\n     CROSS JOIN tb_tag t;',
    ' SELECT pk_post\n   FROM tb_post\nUNION ALL\n SELECT pk_post\n   FROM tb_post;',
    ' SELECT pk_post,\n    unnest(tags) AS tag\n   FROM tb_post;',
    ' SELECT pk_post,\n    "odd rows"(id) AS r\n   FROM tb_post;',
    ' WITH a AS (\n SELECT 1\n        )\n SELECT pk_post\n   FROM a;',
    ' SELECT x.pk_post\n   FROM ( SELECT tb_post.pk_post\n           FROM tb_post) x;',
    ' SELECT pk_post\n   FROM tb_post\n  GROUP BY GROUPING SETS ((pk_post), ());',
    ' SELECT g.g\n   FROM generate_series(1, 3) g(g);',
    ' SELECT 1 AS pk_post;',
  ]) {
    t.notOk(isRowForRow(definition, SETS), definition)
  }
})
