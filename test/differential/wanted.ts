import type { QueryModel, SchemaModel } from '../../core/doors/plugin.ts'
import { orderName, sortableFields } from './generate/arguments.ts'
import { operatorName, operatorsOf } from './generate/filters.ts'
import { keysOf, numberName, numbersOf } from './generate/numbers.ts'
import { DIRECTIONS, HAVING_OPERATORS } from './request.ts'

/** Forms of requests that have to come up, whatever the schema is. */
const FORMS = [
  'roots: 1',
  'roots: 2',
  'roots: 3',
  'alias',
  'directive @include',
  'directive @skip',
  'given as literal',
  'given as variable',
  'given as default',
  'filter {}',
  'filter absent',
  'filter _not',
  'filter _and of 0',
  'filter _and of 1',
  'filter _and of 2',
  'filter _or of 0',
  'filter _or of 1',
  'filter _or of 2',
  'filter over one object in rows',
  'filter some in rows',
  'filter every in rows',
  'filter none in rows',
  'where null',
  'where of a root list',
  'where of a nested list',
  'order by several keys',
  'page of a root list: whole',
  'page of a root list: limit',
  'page of a root list: offset',
  'page of a root list: limit, offset',
  'page of a root list: limit 0',
  'page of a nested list: whole',
  'page of a nested list: limit',
  'page of a nested list: offset',
  'page of a nested list: limit, offset',
  'page of a nested list: limit 0',
  'selection of objects in rows',
  'selection of an object in rows',
  'selection in a fragment, inline',
  'selection in a fragment, named',
  'root node',
  'counted list',
  'argument of a value',
  'page of a connection: none',
  'page of a connection: first',
  'page of a connection: last',
  'page of a connection: both',
  'page of a connection: first after',
  'page of a connection: last before',
  'page of a connection: first before',
  'page of a connection: last after',
  'page of an ordered connection: none',
  'page of an ordered connection: first',
  'page of an ordered connection: last',
  'connection: edges',
  'connection: pageInfo',
  'connection: totalCount',
  'connection: __typename',
]

/** Forms of numbers about rows. */
const NUMBER_FORMS = [
  'numbers about all rows of a root list',
  'numbers about groups of a root list',
  'numbers about all rows of a nested list',
  'numbers about groups of a nested list',
  'groups by 1',
  'groups by 2',
  'having and',
  'having or',
  'having not',
  'having test',
  ...HAVING_OPERATORS.map((name) => `having ${name}`),
  ...['count', 'countDistinct', 'sum', 'min', 'max', 'keys'].map((name) => `order of groups by ${name}`),
]

/** Forms of documents and of rows of several types. */
export const DOCUMENT_FORMS = [
  'filter over one object in a document',
  'filter some in a document',
  'filter every in a document',
  'filter none in a document',
  'selection of objects in a document',
  'selection of an object in a document',
  'selection on a member of interface',
  'selection on a member of union',
  'argument of a list',
]

/** Forms of arguments that search. */
export const WORD_FORMS = ['argument of words, plain', 'argument of words, phrase', 'argument of words, websearch']

/** Everything that requests about a schema have to have: each operator and each order for each kind of field, each form. */
export function wantedOf(
  model: SchemaModel,
  queries: readonly QueryModel[],
): { readonly forms: readonly string[]; readonly kinds: readonly string[] } {
  const kinds: string[] = []
  for (const type of model.types.values()) {
    if (type.kind !== 'object' && type.kind !== 'interface') continue
    // Members of interfaces are filtered through them.
    if (type.kind === 'object' && type.source !== null && !queries.some(({ named }) => named === type)) continue
    for (const field of type.fields.values()) {
      for (const { id } of operatorsOf(field)) kinds.push(operatorName(field, id))
    }
    if (type.aggregate !== null) {
      for (const number of numbersOf(type)) kinds.push(numberName('numbers:', number))
      for (const field of keysOf(type)) kinds.push(numberName('numbers:', { name: 'keys', field }))
    }
    if (type.source !== null) {
      for (const field of sortableFields(type))
        for (const direction of DIRECTIONS) kinds.push(orderName(field, direction))
    }
  }
  const numbers = [...model.types.values()].some(
    (type) => (type.kind === 'object' || type.kind === 'interface') && type.aggregate !== null,
  )
  return {
    forms: [...FORMS, ...(numbers ? NUMBER_FORMS : []), ...queries.map(({ wireName }) => `root ${wireName}`)],
    kinds,
  }
}
