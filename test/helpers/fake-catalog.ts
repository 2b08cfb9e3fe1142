import type { Catalog, CatalogFunction, CatalogRelation } from '../../core/contract/database.ts'

type Columns = Readonly<Record<string, string>>

export interface FakeFunction {
  /** Name → type; a type that ends in `?` has a default. An empty name is a parameter without one: `'#1'`. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly returns?: Partial<CatalogFunction['returns']>
  readonly kind?: CatalogFunction['kind']
}

/**
 * A catalog written down, for tests of rules that do not need a server. Columns are `name: 'type'`; `'int8!'` is never
 * null; `'int8*'` is the primary key as well. Several functions under one name are overloads.
 */
export function fakeCatalog(
  relations: Readonly<Record<string, Columns>>,
  functions: Readonly<Record<string, FakeFunction | readonly FakeFunction[]>> = {},
): Catalog {
  return {
    relations: new Map(Object.entries(relations).map(([name, columns]) => [name, relation(name, columns)])),
    functions: new Map(
      Object.entries(functions).map(([name, value]) => [
        name,
        (Array.isArray(value) ? value : [value]).map((fn: FakeFunction) => describe(name, fn)),
      ]),
    ),
    allRelations: Object.keys(relations).sort(),
    allFunctions: Object.keys(functions).sort(),
  }
}

function relation(name: string, columns: Columns): CatalogRelation {
  const entries = Object.entries(columns)
  return {
    schema: 'public',
    name,
    kind: /^(?:tb|tv)_|^[a-u]/.test(name) ? 'table' : 'view',
    columns: entries.map(([column, type]) => ({
      name: column,
      type: type.replace(/[!*~]/g, ''),
      notNull: /[!*]/.test(type),
      unique: !type.includes('~'),
    })),
    primaryKey: entries.filter(([, type]) => type.includes('*')).map(([column]) => column),
  }
}

function describe(name: string, { parameters = {}, returns = {}, kind = 'function' }: FakeFunction): CatalogFunction {
  return {
    schema: 'public',
    name,
    kind,
    parameters: Object.entries(parameters).map(([parameter, type]) => ({
      name: parameter.startsWith('#') ? null : parameter,
      type: type.replace('?', ''),
      hasDefault: type.endsWith('?'),
    })),
    returns: { set: false, kind: 'composite', type: 'mutation_response', columns: [], ...returns },
  }
}
