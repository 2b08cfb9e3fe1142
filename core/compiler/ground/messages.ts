/**
 * All errors that the compiler can report: a description by id, from which docs/reference/compile-messages.md is
 * generated.
 */
export const FAULTS = {
  shape: 'schema.json has a key, a type of value or a word that its JSON Schema does not know.',
  'conflicting-keys': 'Two spellings of one option are given, or they contradict each other.',
  'invalid-name': 'A name is no GraphQL name, or begins with `__`, which is reserved.',
  'duplicate-name': 'Two elements, fields, arguments or values have the same name, or the same name on the wire.',
  'generated-name': 'A type has a name that svc generates itself (`PostConnection`, `Query`, `PageInfo`).',
  'type-syntax': 'The text of a type is not GraphQL notation.',
  'unknown-type': 'A type is named that the schema does not declare.',
  'wrong-position': 'An input type stands where a result is expected, or the other way round.',
  'unknown-interface': '`implements` names something that is no interface.',
  'interface-field': 'A type lacks a field of its interface, or declares it with another type.',
  'union-member': 'A member of a union is no object type, or stands there twice.',
  'input-cycle': 'Inputs need each other without end: a circle of non-null fields.',
  'bad-default': 'A default is no value of the declared type.',
  'needed-deprecated':
    'What is deprecated has to be given: an argument or a field of an input without null and default.',
  'bad-scalar': 'A custom scalar has a base that is no built-in scalar, or a module without an export.',
  'unknown-source':
    'The view or table does not exist where it is looked for; the message says where it is, or what is spelled like it.',
  'no-source': 'A query, or a type that a relation needs, has no view or table.',
  'unknown-database': 'A type or an operation names a database that svc.toml has no section for.',
  'across-databases':
    'Something of one database needs rows of another, where it cannot have them: a filter, a result, a subscription, an observer.',
  'unknown-column': 'The source has no such column.',
  'column-type': 'The type of the column cannot be the declared type.',
  'relation-ambiguous': 'More than one pair of columns could be the relation.',
  'relation-columns': 'The two lists of columns of a relation do not go together.',
  'relation-missing': 'No pair of columns could be the relation.',
  'relation-partial-key': 'A relation that is found by name is over a part of a key of several columns.',
  'relation-through': 'A relation names a join table that cannot relate its rows.',
  'relation-type': 'The two columns of a relation cannot be compared.',
  'relation-key': 'A single row is to be found in a table of another database by a column that is not unique.',
  'source-mismatch': 'The source of a query lacks a column that its result type reads.',
  'query-result': 'A query returns something that has no rows.',
  'auto-params': 'Automatic parameters are asked for where there are none.',
  relay: 'A relay query or type lacks what keyset cursors need.',
  'argument-clash': 'An argument has the name of a parameter that is generated or injected.',
  'argument-column': 'An argument of a query is no condition: the source has no such column.',
  'id-arg': '`id_arg` names an argument that the query does not declare.',
  inject: 'An injected parameter has a bad name or source, or nothing to be injected into.',
  'row-filter': 'A row filter is not well formed.',
  'open-rows':
    'All queries of a type carry `inject` or `row_filter`, and its rows are reached another way too, where those do not hold.',
  'ruled-copy':
    'A type has rules of its own, and a field would show a copy of its rows in JSON, where they cannot hold.',
  'type-rules': 'A type has rules of its own and no rows that they could hold for.',
  access: 'Options that decide who may call contradict each other.',
  'field-option': 'An option of a field contradicts another one, or needs one that is missing.',
  'filter-operator': 'An operator does not exist for the type of the field.',
  hierarchy: 'A hierarchy, or a field that names one, is not made of paths (`LTree`) and of rows that an id can name.',
  vector:
    'A field that is a vector has an option that vectors cannot have, or a field that is none has one of vectors.',
  place:
    'A field that is a place has a column of PostGIS that it cannot be read from, or an option that places cannot have.',
  aggregate: 'An option `aggregate` names a field that it cannot be of, or stands where there are no rows to count.',
  'filter-type': '`filter_type` names something that is no input type.',
  validation: 'A validation rule is malformed or cannot apply to the type.',
  'unknown-function':
    'The function does not exist where it is looked for; the message says where it is, or what is spelled like it.',
  'function-arguments': 'The arguments of a mutation do not fit the parameters of its function.',
  'function-result': 'What the function returns cannot become the declared result.',
  'read-only': 'A mutation writes to a database whose dialect only reads.',
  'write-result': 'The dialect cannot take what the function of a mutation returns.',
  'author-function': 'A function of the author is of a kind that no enabled plugin runs, or stands there twice.',
  'unknown-entity': 'A subscription or an observer names an entity or an event that does not exist.',
} as const

/**
 * All warnings that the compiler can report: a description by id. A warning does not prevent the compiled schema from
 * being written.
 */
export const WARNINGS = {
  'no-fields': 'A type has no fields.',
  'no-queries': 'The schema has no query, and GraphQL has no schema without one: no client can introspect it.',
  'unbounded-list': 'A list query has `limit = false`: it reads every row.',
  'hidden-row':
    'A field that may not be null leads to a type whose rules can hide its row: then the object around it cannot be answered.',
  'unused-default':
    'A field of a type or interface has a default. Clients do not send such fields, so the default has no effect.',
  'positional-call':
    'Compiled without a database: the values of a mutation are bound in declared order, unseen whether the names match.',
  'nullable-column': 'A field may not be null, and its column may: a row without a value could not be answered.',
  'enum-label': 'An enum has a value that the enum of the database lacks.',
  'bypassed-policies': 'A view runs with the rights of an owner whom the policies of its tables do not hold.',
  'partial-key': 'A single row is looked for by a part of a key of several columns, so that several rows may be meant.',
  'stub-column':
    'A field whose type is an entity with rows of its own is read from a JSON column, which may hold no more than the key.',
  'unproven-key':
    'A type is relay, and the catalog does not prove that the columns that its pages are ordered by identify a row.',
  'unseen-key': 'A field is read from a key that no document has, of the first rows of its source.',
  'number-as-text': 'A field is a number, and documents, of the first rows of its source, hold it as a text.',
  'unordered-limit': 'A list query has `limit = true` and `order_by = false`: which rows come is up to the database.',
} as const

export type MessageId = keyof typeof FAULTS | keyof typeof WARNINGS
