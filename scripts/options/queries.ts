import type { Chapter } from './option.ts'

/** Options of a query. */
const QUERY: Chapter = {
  title: 'Query',
  proof: 'database',
  options: {
    'query.sql_source': 'View or table that is queried; default `v_<type>`',
    'query.description': 'Description of the query',
    'query.deprecated': 'Deprecation message',
    'query.arguments': 'Declared arguments: equalities; absent or null is no filter',
    'query.relay': 'Connection, edges and page info with keyset cursors: `first` `after` `last` `before`',
    'query.auto_params': '`true`: all four, `false`: none, an object: one by one',
    'query.inject': 'Claim as a condition; never seen, set or lifted by clients',
    'query.id_arg': 'The argument that identifies the row, beside `row_filter`',
    'query.aggregate': '`false`: no numbers about its rows',
    'query.row_filter': 'SQL condition with `{name}` placeholders, bound from the request context',
    'query.jsonb_column': 'JSON column of this query’s source',
    'query.type_column': 'Column that names the type of a row',
    'query.validate': 'Rules about its arguments together',
    'query.requires_role': 'Required role',
    'query.requires_scope': 'Required scope',
    'query.authenticated': 'Only with a credential',
    'query.api_key_required': 'Only with an API key',
    'query.public': 'Callable without a credential, whatever the default policy says',
    'query.cache_ttl': 'Seconds that an answer may come from the cache',
    'query.cache': 'Switches caching on or off',
    'query.additional_views': 'Further views that the cached answer depends on',
    'query.rest_path': 'REST route',
    'query.rest_method': 'REST method',
    'query.database': 'Database of the query',
  },
}

/** Automatic parameters of queries, and `[query_defaults]`. */
const AUTO_PARAMS: Chapter = {
  title: 'Automatic parameters',
  proof: 'database',
  options: {
    'auto_params.where': '`where: {Type}WhereInput`',
    'auto_params.order_by': '`orderBy: [{Type}OrderByInput!]`',
    'auto_params.limit': '`limit: Int`; negative and above `svc.max_rows` refused',
    'auto_params.offset': '`offset: Int`',
    'auto_params.total_count': 'Wraps the result: `{ items, totalCount }`',
    'auto_params.inferred': 'On for lists, none for single objects',
    'schema.query_defaults': 'Defaults of the schema, under those of the query',
    'config.query_defaults': '`[query_defaults]` of svc.toml, under those of the query',
    'config.max_rows': '`svc.max_rows`: a list that is longer is an error, never a part of it',
  },
}

/** Options of arguments of queries and mutations. */
const ARGUMENT: Chapter = {
  title: 'Argument',
  proof: 'database',
  options: {
    'argument.description': 'Description of the argument',
    'argument.deprecated': 'Deprecation message',
    'argument.default': 'Default value; makes it optional',
    'argument.full_text': 'Searches a column of search words (`tsvector`) instead of comparing',
    'argument.validate': 'Rules that its value has to pass',
  },
}

export const QUERIES = [QUERY, AUTO_PARAMS, ARGUMENT]
