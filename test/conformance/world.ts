import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { BLOG, BLOG_SQL } from '../core/engine/execute/blog.ts'
import type { TestDatabase } from '../helpers/databases.ts'
import { LIBRARY_SQL, OPEN_LIBRARY } from '../helpers/library.ts'

/** A library to read from and a blog to write to, in one database. */
export const WORLD_SQL = `${LIBRARY_SQL}
${BLOG_SQL}
CREATE VIEW v_passing AS SELECT id, label FROM tb_shelf;
CREATE VIEW v_altered AS SELECT id, label, note FROM tb_shelf;
CREATE VIEW v_broken AS SELECT id, nullif(label, 'Shelf 2') AS label FROM tb_shelf;
`

const LABELLED = ['Passing', 'Altered', 'Broken'].map((name) => ({
  name,
  sql_source: `v_${name.toLowerCase()}`,
  fields: [
    { name: 'id', type: 'ID!' },
    { name: 'label', type: 'String!' },
  ],
}))

/** Everything of both that needs no credential, and views that a test may drop. */
export const WORLD: AuthoredSchema = {
  version: '1',
  enums: [...(OPEN_LIBRARY.enums ?? []), ...(BLOG.enums ?? [])],
  custom_scalars: OPEN_LIBRARY.custom_scalars ?? [],
  interfaces: OPEN_LIBRARY.interfaces ?? [],
  unions: [...(OPEN_LIBRARY.unions ?? []), ...(BLOG.unions ?? [])],
  types: [...(OPEN_LIBRARY.types ?? []), ...(BLOG.types ?? []), ...LABELLED],
  input_types: BLOG.input_types ?? [],
  queries: [
    ...(OPEN_LIBRARY.queries ?? []),
    ...(BLOG.queries ?? []),
    { name: 'passing', type: '[Passing!]!', sql_source: 'v_passing' },
    { name: 'altered', type: '[Altered!]!', sql_source: 'v_altered' },
    { name: 'broken', type: '[Broken!]!', sql_source: 'v_broken' },
    { name: 'maybe_broken', type: '[Broken]', sql_source: 'v_broken' },
  ],
  mutations: BLOG.mutations?.filter((mutation) => mutation.inject === undefined) ?? [],
}

/** Mutations whose function has parameters that need a default in SQL, which MariaDB does not have. */
const NEED_DEFAULTS = ['any_style', 'flat_style']

/** What a kind of database has of the world. */
export function worldOf(kind: TestDatabase['kind']): AuthoredSchema {
  if (kind !== 'mysql') return WORLD
  return { ...WORLD, mutations: (WORLD.mutations ?? []).filter(({ name }) => !NEED_DEFAULTS.includes(name)) }
}
