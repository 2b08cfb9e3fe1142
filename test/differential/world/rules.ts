import type { AuthoredSchema } from '../../../core/doors/command.ts'
import type { QueryModel } from '../../../core/doors/plugin.ts'
import type { Caller } from './callers.ts'

/** What a rule of the schema means: which rows somebody sees. */
export interface Rule {
  /** @param row alias of the source */
  readonly sql: (row: string, caller: Caller) => string
  readonly holds: (cells: ReadonlyMap<string, string | null>, caller: Caller) => boolean
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const isUpTo = (level: string | null | undefined, { level: own }: Caller): boolean =>
  level !== null && level !== undefined && Number(level) <= own

/** `inject: { tenant: 'jwt:tenants' }` */
const OWN_TENANTS: Rule = {
  sql: (row, { tenants }) => `${row}.tenant IN (${tenants.map(quoted).join(', ')})`,
  holds: (cells, { tenants }) => tenants.includes(cells.get('tenant') ?? ''),
}
/** `row_filter: 'level <= {level}'` */
const UP_TO_LEVEL: Rule = {
  sql: (row, { level }) => `${row}.level <= ${level}`,
  holds: (cells, caller) => isUpTo(cells.get('level'), caller),
}
/** The same of a member of an interface: rows of the other one are not asked. */
const SHUT_UP_TO_LEVEL: Rule = {
  sql: (row, { level }) => `CASE WHEN ${row}.__typename = 'EntryShut' THEN ${row}.level <= ${level} ELSE TRUE END`,
  holds: (cells, caller) => cells.get('__typename') !== 'EntryShut' || isUpTo(cells.get('level'), caller),
}
/** `row_filter: 'NOT hidden'` */
const SHOWN: Rule = {
  sql: (row) => `(${row}.hidden IS FALSE)`,
  holds: (cells) => ['0', 'false'].includes(cells.get('hidden') ?? ''),
}

const OF_TYPE: Readonly<Record<string, readonly Rule[]>> = {
  Entry: [OWN_TENANTS, UP_TO_LEVEL],
  Ruled: [SHUT_UP_TO_LEVEL],
  RuledUnion: [SHUT_UP_TO_LEVEL],
}
const OF_QUERY: Readonly<Record<string, readonly Rule[]>> = {
  shownEntries: [SHOWN],
  shownEntryPages: [SHOWN],
  ownMakers: [
    {
      sql: (row, { level }) => `${row}.size <= ${level} AND ${row}.name <> ''`,
      holds: (cells, caller) => isUpTo(cells.get('size'), caller) && cells.get('name') !== '',
    },
  ],
}

const NONE: readonly Rule[] = []

/** The rules of a type, wherever its rows are opened. */
export function rulesOfType(name: string): readonly Rule[] {
  return OF_TYPE[name] ?? NONE
}

/** The rules of a query, and of the type of its rows. */
export function rulesOfQuery({ wireName, named }: QueryModel): readonly Rule[] {
  const own = OF_QUERY[wireName]
  return own === undefined ? rulesOfType(named.name) : [...rulesOfType(named.name), ...own]
}

const relation = (name: string, type: string, from: string, to: string) => ({ name, type, relation: { from, to } })
const through = (name: string, type: string, to: string, end: string) => ({
  name,
  type,
  relation: { from: 'pk_maker', to, through: { sql_source: 'tb_entry', from: 'fk_maker', to: end } },
})
const ENTRY = [
  { name: 'id', type: 'ID!' },
  { name: 'title', type: 'String!' },
  { name: 'level', type: 'Int' },
] as const

type Types = NonNullable<AuthoredSchema['types']>

/** Rows that not everybody sees, and ways to them from rows that everybody sees. */
export function withRules(schema: AuthoredSchema): AuthoredSchema {
  const more: Readonly<Record<string, Types[number]['fields']>> = {
    Maker: [
      relation('entries', '[Entry!]!', 'pk_maker', 'fk_maker'),
      relation('ruled', '[Ruled!]!', 'pk_maker', 'fk_maker'),
      // The rows of the join table are entries.
      through('above', '[Entry!]!', 'pk_entry', 'fk_entry'),
      through('levels', '[Maker!]!', 'pk_maker', 'level'),
    ],
    Part: [relation('entry', 'Entry', 'rank', 'pk_entry')],
    Card: [relation('entries', '[Entry!]!', 'fk_maker', 'fk_maker')],
  }
  const types = (schema.types ?? []).map((type) => ({ ...type, fields: [...type.fields, ...(more[type.name] ?? [])] }))
  const entry = {
    name: 'Entry',
    sql_source: 'tb_entry',
    relay: true,
    aggregate: true,
    inject: { tenant: 'jwt:tenants' },
    row_filter: 'level <= {level}',
    fields: [
      ...ENTRY,
      { name: 'tenant', type: 'String!' },
      { name: 'hidden', type: 'Boolean!' },
      relation('maker', 'Maker', 'fk_maker', 'pk_maker'),
      relation('above', 'Entry', 'fk_entry', 'pk_entry'),
      relation('below', '[Entry!]!', 'pk_entry', 'fk_entry'),
    ],
  }
  const member = { sql_source: 'v_ruled', implements: ['Ruled'] }
  return {
    ...schema,
    interfaces: [
      ...(schema.interfaces ?? []),
      { name: 'Ruled', sql_source: 'v_ruled', aggregate: true, fields: [...ENTRY] },
    ],
    unions: [
      ...(schema.unions ?? []),
      { name: 'RuledUnion', sql_source: 'v_ruled', members: ['EntryShut', 'EntryOpen'] },
    ],
    types: [
      ...types,
      { ...entry, open: true },
      { ...member, name: 'EntryShut', row_filter: 'level <= {level}', fields: [...ENTRY] },
      { ...member, name: 'EntryOpen', fields: [...ENTRY, { name: 'tenant', type: 'String!' }] },
    ],
    queries: [
      ...(schema.queries ?? []),
      { name: 'entries', type: '[Entry!]!' },
      { name: 'entry', type: 'Entry', arguments: [{ name: 'id', type: 'ID!' }] },
      { name: 'counted_entries', type: '[Entry!]!', auto_params: { total_count: true } },
      { name: 'entry_pages', type: '[Entry!]!', relay: true },
      { name: 'shown_entries', type: '[Entry!]!', row_filter: 'NOT hidden' },
      { name: 'shown_entry_pages', type: '[Entry!]!', relay: true, row_filter: 'NOT hidden' },
      {
        name: 'own_makers',
        type: '[Maker!]!',
        row_filter: "size <= {level} AND name <> ''",
        auto_params: { total_count: true },
      },
      { name: 'ruled', type: '[Ruled!]!' },
      { name: 'ruled_union', type: '[RuledUnion!]!' },
    ],
  }
}
