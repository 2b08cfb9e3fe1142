import type { Chapter } from './option.ts'

/** Declared types and the GraphQL types that they become. */
const MAPPING: Chapter = {
  title: 'Declared types',
  proof: 'database',
  options: {
    'mapping.non-null': 'Declared without a null marker: `T!`',
    'mapping.nullable': 'Declared `nullable`: `T`',
    'mapping.list': 'A list of items that are not null: `[T!]!`',
    'mapping.nullable-list': 'A list that may be null: `[T!]`',
    'mapping.input-default': 'An input field with a default: not null in the input type, and may be left out',
    'mapping.query-nullable': 'A query that returns `nullable(T)`: `T`',
    'mapping.mutation-non-null': 'A mutation that returns `T`: `T!`',
    'mapping.names': 'snake_case is declared, camelCase on the wire: fields, arguments, queries, mutations',
    'mapping.descriptions': 'Descriptions of types, fields, queries and arguments reach introspection',
    'mapping.forward-reference': 'A type that is declared further down',
    'mapping.builtin-scalars':
      '`ID` `String` `Int` `Float` `Boolean` `DateTime` `Date` `UUID` `Decimal` in their wire forms',
    'mapping.semantic-scalars': '`Email` and the other semantic scalars: what they refuse, what they filter by',
  },
}

/** Options of an object type. */
const TYPE: Chapter = {
  title: 'Type',
  proof: 'database',
  options: {
    'type.description': 'Description of the type',
    'type.sql_source': 'View or table its rows are read from',
    'type.jsonb_column': 'JSON column of an `id` + `data` source',
    'type.key': 'Columns of its source that identify a row',
    'type.implements': 'Interfaces it implements',
    'type.relay': 'Implements `Node`: `node(id)`, keyset cursors',
    'type.embedded': 'Lives in the document of its parent',
    'type.inject': 'Column that has to hold a claim, wherever a row of the type is opened',
    'type.row_filter': 'SQL condition that holds wherever a row of the type is opened',
    'type.open': 'Its rows may be seen where the rules of its queries do not hold',
    'type.aggregate': 'Numbers about its rows, of all fields or of those that are named',
    'type.requires_role': 'Role that reading it needs',
    'type.is_error': 'Error member of the union that a mutation returns',
    'type.database': 'Database of a federated type',
    'type.dataplane': '`graphql` or `arrow`',
    'type.key_fields': 'Federation key',
    'type.keys': 'Several federation keys',
    'type.resolvable': '`false`: the keys lead to another subgraph',
    'type.extends': 'Extends a type of another subgraph',
    'type.shareable': 'Other subgraphs may have its fields, too',
    'type.inaccessible': 'Routers do not show it',
    'type.tags': 'Tags, for contracts',
    'type.interface_object': 'An interface elsewhere, to whose types its fields are added',
    'type.directives': 'Directives of the author’s own that the supergraph keeps',
  },
}

/** Options of a field. */
const FIELD: Chapter = {
  title: 'Field',
  proof: 'database',
  options: {
    'field.description': 'Description of the field',
    'field.deprecated': 'Deprecation message',
    'field.default': 'Default value: of a field of an input; a type’s field is warned of',
    'field.requires_scope': 'Scope that reading the field needs',
    'field.on_deny': 'Without the scope: `mask` or `reject`',
    'field.filterable': 'Part of the WhereInput',
    'field.orderable': 'Part of the OrderByInput',
    'field.computed': 'Not read from the database',
    'field.searchable': 'Takes part in text search',
    'field.filter_type': 'Filter input that replaces the derived one',
    'field.filter_operators': 'The only operators that are offered',
    'field.hierarchy': 'Of a path: compared with rows of a hierarchy by their ids',
    'field.vector_config': 'Of a vector: its dimensions, the only distance that is offered',
    'field.column': 'Column, where it is not the snake_case name',
    'field.relation': 'The two columns of a relation',
    'field.authorize': 'Named policy',
    'field.external': 'Another subgraph has it',
    'field.shareable': 'Other subgraphs may have it, too',
    'field.inaccessible': 'Routers do not show it',
    'field.tags': 'Tags, for contracts',
    'field.override': 'Subgraph whose field it takes the place of',
    'field.override_label': 'Requests for which it takes that place',
    'field.provides': 'External fields that are read on this way',
    'field.requires': 'External fields that it is computed of',
    'field.sql': 'SQL that computes it of what it requires',
  },
}

export const TYPES_AND_FIELDS = [MAPPING, TYPE, FIELD]
