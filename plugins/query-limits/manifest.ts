import type { Manifest } from '../../core/doors/plugin.ts'

const bound = (value: number, description: string) => ({
  type: 'integer',
  minimum: 0,
  default: value,
  description: `${description} 0 = no bound.`,
})

const weight = (value: number, description: string) => ({ type: 'integer', minimum: 1, default: value, description })

const manifest: Manifest = {
  name: 'query-limits',
  version: '0.1.0',
  kernelApi: 1,
  description: 'Refuses what is too deep, too complex or too wide, before the database is asked.',
  dependencies: ['graphql'],
  provides: ['queryMeasure'],
  config: 'validation',
  options: {
    type: 'object',
    description: 'Limits on what a request selects.',
    additionalProperties: false,
    properties: {
      max_query_depth: bound(10, 'Levels of nested fields; a root field is one.'),
      max_query_complexity: bound(100, 'Sum of the weights of the selected fields.'),
      max_query_aliases: bound(30, 'Fields with an alias, wherever they stand.'),
      max_query_root_fields: bound(20, 'Fields of the root, each of which is a query or a mutation of its own.'),
      max_query_directives: bound(50, 'Uses of directives, wherever they stand.'),
      scalar_weight: weight(1, 'Weight of a scalar or enum, or of a list of them.'),
      object_weight: weight(1, 'Weight of an object; what is selected of it is added.'),
      list_weight: weight(5, 'Weight of a list of objects; what is selected of one item is added.'),
    },
  },
}
export default manifest
