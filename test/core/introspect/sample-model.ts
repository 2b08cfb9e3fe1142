import type { Catalog } from '../../../core/contract/database.ts'
import type {
  DatabaseModel,
  ModelColumn,
  ModelForeignKey,
  ModelFunction,
  ModelRelation,
} from '../../../core/contract/database-model.ts'

const ALL = { select: true, insert: true, update: true, delete: true }

/** A column, NOT NULL: `column('id', 'int4')`; `'int4?'` may be NULL. */
export function column(name: string, type: string, more: Partial<ModelColumn> = {}): ModelColumn {
  const bare = type.replace('?', '')
  return { name, type: bare, sqlType: bare, notNull: !type.endsWith('?'), hasDefault: false, ...more }
}

/** A table: columns as `name: type`; the key is `id`, if there is one. */
export function table(
  name: string,
  columns: Readonly<Record<string, string>> | readonly ModelColumn[],
  more: Partial<ModelRelation> = {},
): ModelRelation {
  const all = Array.isArray(columns)
    ? (columns as readonly ModelColumn[])
    : Object.entries(columns as Readonly<Record<string, string>>).map(([own, type]) => column(own, type))
  return {
    schema: 'public',
    name,
    visible: true,
    kind: 'table',
    columns: all,
    primaryKey: all.some((one) => one.name === 'id') ? ['id'] : [],
    uniqueKeys: [],
    foreignKeys: [],
    indexes: [],
    privileges: ALL,
    ...more,
  }
}

/** A foreign key: `foreignKey('author_id', 'author.id')`; of several columns: `foreignKey('a b', 'other.c d')`. */
export function foreignKey(columns: string, references: string, schema = 'public'): ModelForeignKey {
  const [name = '', to = ''] = references.split('.')
  const own = columns.split(' ')
  return { name: `${own.join('_')}_fkey`, columns: own, references: { schema, name, columns: to.split(' ') } }
}

export function fn(name: string, more: Partial<ModelFunction> = {}): ModelFunction {
  return {
    schema: 'public',
    name,
    visible: true,
    kind: 'function',
    volatility: 'volatile',
    parameters: [],
    returns: { set: false, kind: 'void', type: 'void', columns: [] },
    executable: true,
    ...more,
  }
}

export function model(relations: readonly ModelRelation[], more: Partial<DatabaseModel> = {}): DatabaseModel {
  return { relations, functions: [], enums: [], skipped: [], ...more }
}

/** The catalog that the compiler would read from the database of the model. */
export function catalogOf({ relations, functions, enums }: DatabaseModel): Catalog {
  const labelsOf = (name: string | undefined) => enums.find((one) => `${one.schema}.${one.name}` === name)?.labels
  const found = new Map<string, Catalog['relations'] extends ReadonlyMap<string, infer One> ? One : never>()
  for (const relation of relations) {
    const isUnique = (own: string): boolean =>
      [relation.primaryKey, ...relation.uniqueKeys].some((key) => key.length === 1 && key[0] === own)
    const described = {
      schema: relation.schema ?? 'main',
      name: relation.name,
      kind: relation.kind.endsWith('view') ? ('view' as const) : ('table' as const),
      columns: relation.columns.map((one) => {
        const labels = labelsOf(one.enum)
        return {
          name: one.name,
          type: one.type,
          notNull: one.notNull,
          unique: isUnique(one.name),
          ...(one.notNull ? {} : { nullable: true as const }),
          ...(labels === undefined ? {} : { labels }),
          ...(one.place === undefined ? {} : { place: one.place }),
        }
      }),
      primaryKey: relation.primaryKey,
      compositeKeys: [relation.primaryKey, ...relation.uniqueKeys].filter((key) => key.length > 1),
    }
    found.set(`${relation.schema}.${relation.name}`, described)
    if (relation.visible) found.set(relation.name, described)
  }
  const signatures = functions.map((one) => ({
    schema: one.schema ?? 'main',
    name: one.name,
    kind: one.kind,
    parameters: one.parameters.map(({ name, type, hasDefault }) => ({ name, type, hasDefault })),
    returns: one.returns,
  }))
  return {
    relations: found,
    functions: new Map(signatures.map((one) => [one.name, signatures.filter(({ name }) => name === one.name)])),
    allRelations: [...found.keys()],
    allFunctions: signatures.map(({ name }) => name),
    extensions: ['vector', 'ltree', 'postgis'],
  }
}
