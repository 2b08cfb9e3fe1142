import t from 'tap'
import { readViewShape } from '../../../../core/dialects/view-shape/read-view-shape.ts'
import { rowBases } from '../../../../core/dialects/view-shape/row-bases.ts'

/** Each relation has the key `pk`; `line` has `order_no` and `line_no`. */
const isKey = (relation: string, columns: ReadonlySet<string>): boolean =>
  columns.has('pk') || (relation === 'line' && columns.has('order_no') && columns.has('line_no'))
const basesOf = (text: string): readonly string[] | null => {
  const shape = readViewShape(text)
  return shape === null ? null : [...rowBases(shape, isKey)].sort()
}

t.test('a join to one row keeps the rows of the relation that it starts from', async (t) => {
  const bases = (from: string) => basesOf(` SELECT p.pk,\n u.name AS "Who"\n   FROM ${from};`)
  t.strictSame(bases('(post p\n     JOIN "Odd user" u ON ((u.pk = p.fk_user)))'), ['p'])
  t.strictSame(bases('post p LEFT OUTER JOIN app.users AS u ON u.pk = p.fk_user WHERE u.name IS NULL OR true'), ['p'])
  t.strictSame(bases('(users u JOIN post p ON ((p.fk_user = u.pk)))'), ['p'], 'whichever side stands first')
  t.strictSame(bases('((post p JOIN users u ON ((u.pk = p.fk_user))) JOIN town t ON ((t.pk = u.fk_town)))'), ['p'])
  t.strictSame(bases('(main p JOIN side u ON ((u.pk = p.pk)))'), ['p', 'u'], 'one to one')
  t.strictSame(
    bases('(x p JOIN line u ON (((u.order_no = p.o) AND (u.line_no = p.l))))'),
    ['p'],
    'a key of two columns',
  )
  t.strictSame(
    bases('(post p LEFT JOIN LATERAL ( SELECT c.pk AS name FROM c WHERE (c.fk = p.pk) LIMIT 1) u ON (true))'),
    ['p'],
  )
  t.strictSame(
    bases(
      "(post p CROSS JOIN LATERAL ( SELECT COALESCE(jsonb_agg(c.x), '[]'::jsonb) AS name FROM c WHERE (c.fk = p.pk)) u)",
    ),
    ['p'],
  )
})

t.test('a view that may give a row twice, or none, claims nothing', async (t) => {
  const bases = (from: string) => basesOf(`SELECT p.pk, u.name FROM ${from}`)
  t.strictSame(bases('(users p LEFT JOIN post u ON ((u.fk_user = p.pk)))'), [], 'rows without one repeat the others')
  t.strictSame(bases('(post p JOIN users u ON ((u.name = p.name)))'), [])
  t.strictSame(bases('(post p JOIN users u ON (((u.pk = p.fk_user) OR (u.name = p.name))))'), [])
  t.strictSame(bases('(post p JOIN users u ON ((NOT (u.pk = p.fk_user))))'), [])
  t.strictSame(bases('(post p JOIN users u ON ((u.pk > p.fk_user)))'), [])
  t.strictSame(bases('(post p JOIN line u ON ((u.order_no = p.o)))'), [], 'half of a key')
  t.strictSame(bases('(post p CROSS JOIN users u)'), [])
  t.strictSame(
    bases('((log l CROSS JOIN users p) LEFT JOIN post u ON (((u.pk = l.fk) AND (p.pk = u.fk))))'),
    [],
    'what an outer join is joined by says nothing of the others',
  )
  t.strictSame(bases('(post p JOIN ( SELECT count(*) AS name FROM c GROUP BY c.fk) u ON (true))'), [])
  t.strictSame(bases('(post p JOIN ( SELECT count(*) OVER () AS name FROM c) u ON (true))'), [])
  t.strictSame(bases('(post p JOIN ( SELECT ( SELECT max(d.x) FROM d) AS name FROM c) u ON (true))'), [])
  t.strictSame(bases('(post p JOIN ( SELECT c.name FROM c LIMIT 2) u ON (true))'), [])
  t.strictSame(
    bases('((a p LEFT JOIN b u ON ((u.fk = p.pk))) LEFT JOIN c x ON ((x.pk = u.fk_c)))'),
    [],
    'a condition of an outer join finds no row of the relation in front of it',
  )
})

t.test('forms that are not read', async (t) => {
  for (const text of [
    'SELECT p.pk FROM post p, users u',
    'SELECT p.pk FROM (post p RIGHT JOIN users u ON ((u.pk = p.fk_user)))',
    'SELECT p.pk FROM (post p FULL JOIN users u ON ((u.pk = p.fk_user)))',
    'SELECT p.pk FROM (post p JOIN users u USING (pk))',
    'SELECT p.pk FROM (post p NATURAL JOIN users u)',
    'SELECT p.pk FROM (post p JOIN f(1) u ON (true))',
    'SELECT p.pk FROM (post p JOIN users u(a, b) ON ((u.a = p.b)))',
    'SELECT p.pk FROM (post p JOIN (users u JOIN town x ON ((x.pk = u.fk))) ON ((u.pk = p.fk)))',
    'SELECT p.pk FROM (post p JOIN users p ON ((p.pk = p.fk)))',
    'SELECT DISTINCT p.pk FROM post p',
    'SELECT p.pk FROM post p GROUP BY p.pk',
    'SELECT p.pk FROM post p UNION ALL SELECT p.pk FROM post p',
    'WITH p AS (SELECT 1) SELECT p.pk FROM p',
    'VALUES (1)',
    'SELECT 1',
    'SELECT p.pk FROM post p)',
  ])
    t.equal(readViewShape(text), null, text)
})

t.test('columns are references, all of a relation, or expressions', async (t) => {
  const shape = readViewShape(
    'SELECT p."Odd ""x" AS a, pk, p.*, lower(p.x) AS b, p.x::text, \'FROM\' AS c -- FROM\n FROM post AS p',
  )
  t.strictSame(shape?.columns, [
    { of: 'p', name: 'Odd "x', as: 'a' },
    { of: null, name: 'pk', as: 'pk' },
    { all: 'p' },
    null,
    null,
    null,
  ])
})
