/**
 * Properties of an error code of svc or of a plugin: its HTTP status, whether clients see the message, and a
 * description.
 */
export interface ErrorCode {
  /** HTTP status of a response with this error. Transports without a status ignore it. */
  readonly status: number
  /** `true`: clients may see the message of the error. Boot and operator errors are never exposed. */
  readonly exposed: boolean
  /** Description for docs/reference/errors.md, in one line. */
  readonly doc: string
}

const wire = (status: number, doc: string): ErrorCode => ({ status, exposed: true, doc })
const operator = (doc: string): ErrorCode => ({ status: 500, exposed: false, doc })

/**
 * Every error code that svc itself raises, with HTTP status and description. Codes with the prefix `SVC_` are boot and
 * operator errors, whose messages clients never see. `docs/reference/errors.md` is generated from this table.
 */
export const CODES = {
  PARSE_ERROR: wire(400, 'The document is not valid GraphQL syntax, or has more tokens than allowed.'),
  GRAPHQL_VALIDATION_FAILED: wire(400, 'The document does not fit the schema.'),
  VALIDATION_ERROR: wire(400, 'A limit was exceeded, or an input rule failed.'),
  BAD_USER_INPUT: wire(
    400,
    'A value cannot be what its place wants: variables, cursors, negative limits, null operands.',
  ),
  REQUEST_ERROR: wire(400, 'The request is not a GraphQL request: no query, or no operation that can be picked.'),
  FORBIDDEN_QUERY: wire(400, 'The document is not in the manifest of trusted documents.'),
  DOCUMENT_NOT_FOUND: wire(400, 'No document of the manifest has this id.'),
  PERSISTED_QUERY_NOT_FOUND: wire(200, 'No document is stored under this hash: send the query with it.'),
  PERSISTED_QUERY_NOT_SUPPORTED: wire(
    200,
    'Documents are not found by their hash here, or not in this version of the protocol.',
  ),
  PERSISTED_QUERY_MISMATCH: wire(400, 'The hash that came with a query is not its own.'),
  BAD_REQUEST: wire(
    400,
    'The request cannot be read: its parameters, its content type, or paging that the list does not have.',
  ),
  INVALID_JSON: wire(400, 'A body or a parameter is not valid JSON.'),
  UNKNOWN_PARAMETER: wire(400, 'A parameter, or a field in one, that does not exist. `available` lists those that do.'),
  UNKNOWN_OPERATOR: wire(400, 'The field has no such operator. `available` lists those that it has.'),
  CONSTRAINT_VIOLATION: wire(400, 'A foreign key, check, not-null or exclusion constraint refused the write.'),
  IDEMPOTENCY_CONFLICT: wire(422, 'The `Idempotency-Key` came with another request before.'),
  INVALID_INPUT: wire(422, 'A function raised an error without a code of its own.'),
  UNAUTHENTICATED: wire(401, 'No credential, or one that is not valid.'),
  FORBIDDEN: wire(403, 'The credential does not carry the right.'),
  NOT_FOUND: wire(404, 'There is nothing at this place.'),
  METHOD_NOT_ALLOWED: wire(405, 'The path exists, the method does not. `Allow` lists those that do.'),
  NOT_ACCEPTABLE: wire(406, 'None of the media types in `Accept` can be produced.'),
  REQUEST_TIMEOUT: wire(408, 'The request itself did not arrive within `server.request_timeout_ms`.'),
  CONFLICT: wire(409, 'A unique constraint, or a function that answered `conflict:`.'),
  PRECONDITION_FAILED: wire(412, 'The row is another one by now than `If-Match` says. Nothing was written.'),
  EVENTS_LOST: wire(
    409,
    'A subscription ended because events were lost to it. Read the data again, and subscribe anew; behind `lastEventId` where that can be replayed.',
  ),
  PAYLOAD_TOO_LARGE: wire(413, 'The body is larger than `server.max_body_bytes`.'),
  UNSUPPORTED_MEDIA_TYPE: wire(415, 'The body has a content type that this endpoint does not read.'),
  URI_TOO_LONG: wire(414, 'The request target is longer than the server reads.'),
  RATE_LIMITED: wire(
    429,
    'More requests than the limit allows, or too many failed logins. Try again after `Retry-After`.',
  ),
  NOT_IMPLEMENTED: wire(501, 'What this place would do needs a plugin that is not running.'),
  TRANSACTION_FAILED: wire(500, 'The transaction could not be completed; nothing was written.'),
  DATABASE_ERROR: wire(500, 'The database refused a statement. The log has the reason under the same errorId.'),
  INTERNAL_SERVER_ERROR: wire(500, 'A fault in the service. The log has the reason under the same errorId.'),
  SERVICE_UNAVAILABLE: wire(
    503,
    'The database, or a store that this needs, cannot be reached, or no connection was free in time. Try again after `Retry-After`.',
  ),
  DATABASE_UNAVAILABLE: wire(
    503,
    'One of several databases cannot be reached; `database` names it. What others answer is not concerned. Try again after `Retry-After`.',
  ),
  TIMEOUT: wire(504, 'The request outlived `server.request_timeout_ms`; its statement was cancelled.'),
  SVC_BOOT_FAILED: operator('Boot found one or more faults; all of them are listed.'),
  SVC_PLUGIN_MISSING_DEPENDENCY: operator('A plugin needs another one that is not in the list.'),
  SVC_PLUGIN_DUPLICATE: operator('Two plugins carry the same name.'),
  SVC_PLUGIN_CYCLE: operator('Plugins depend on each other in a circle.'),
  SVC_PLUGIN_API_MISMATCH: operator('The plugin was written for another version of the kernel.'),
  SVC_PLUGIN_UNKNOWN: operator('A list names a plugin that does not exist.'),
  SVC_PLUGIN_OPTIONS: operator('The options of a plugin do not fit its JSON Schema.'),
  SVC_PLUGIN_CONTRADICTION: operator(
    'Configuration enables and disables the same plugin, or configures one that is not in the list.',
  ),
  SVC_PLUGIN_SETUP_FAILED: operator('A plugin threw while it was set up.'),
  SVC_PLUGIN_INVALID: operator('What was given as a plugin is none.'),
  SVC_HOOK_INVALID: operator('A hook is not a function, names an unknown stage, or came after boot.'),
  SVC_WRITES_INVALID: operator('What a plugin wants of writes (`scope.writes`) cannot be had.'),
  SVC_HOOK_NEXT_TWICE: operator('A hook called next() twice.'),
  SVC_ACCESS_INVALID: operator('An `authorize` hook said of `access` what cannot be; the operation is denied.'),
  SVC_SCOPE_PHASE: operator('A plugin called its scope at the wrong time: after boot, or before it was over.'),
  SVC_CLOSE_FAILED: operator('One or more plugins failed while the process closed; all were closed.'),
  SVC_PROVIDE_DUPLICATE: operator('Two plugins provide the same thing.'),
  SVC_USE_UNDECLARED: operator('A plugin uses what it did not declare as a dependency.'),
  SVC_ROUTE_DUPLICATE: operator('Two plugins mount the same route.'),
  SVC_ROUTE_INVALID: operator('A plugin mounts a route that is none.'),
  SVC_CREDENTIAL_INVALID: operator('A plugin describes a credential (`scope.credentials`) that cannot be.'),
  SVC_CODE_INVALID: operator('A manifest declares an error code that it cannot have.'),
  SVC_METRIC_INVALID: operator(
    'A manifest declares a metric that it cannot have, or a plugin uses one that it did not declare.',
  ),
  SVC_COMMAND_INVALID: operator('A manifest declares a command that it cannot have.'),
  SVC_PACKAGE_MISSING: operator(
    'A package of npm that svc does not install is needed, and is not there. The message has the command that installs it.',
  ),
  SVC_CONFIG_INVALID: operator('svc.toml has a key, a value or a variable that cannot be used.'),
  SVC_CONFIG_NOT_FOUND: operator('The configuration file does not exist.'),
  SVC_SCHEMA_INVALID: operator('The schema cannot be compiled; each fault is listed with its place.'),
  SVC_SCHEMA_NOT_FOUND: operator('The schema file does not exist.'),
  SVC_SCHEMA_FORMAT: operator('The compiled schema was written by another version of svc.'),
  SVC_SCHEMA_REQUIRES: operator('The compiled schema relies on a plugin that is not running.'),
  SVC_PYTHON_MISSING: operator(
    'No interpreter can run a schema in Python: none is found, it is too old, or it lacks the package.',
  ),
  SVC_RELOAD_BUSY: operator('A reload is already running.'),
  SVC_DATABASE_EMPTY: operator('The database has no table or view that can be served.'),
  SVC_DATABASE_UNREACHABLE: operator('The database cannot be reached.'),
  SVC_DATABASE_MISSING: operator('No driver plugin is enabled that understands the configured database URL.'),
  SVC_DATABASE_INIT_FAILED: operator('A script of `database.init_dir` failed; the new database was not kept.'),
  SVC_TABLE_MISSING: operator('A table of a plugin is not there and cannot be made.'),
  SVC_LISTEN_FAILED: operator('The server cannot bind its address.'),
  SVC_INIT_REFUSED: operator('`svc init` does not write into a folder that is not empty.'),
  SVC_USAGE: operator('The command line is not one that svc knows.'),
} as const satisfies Record<string, ErrorCode>

export type Code = keyof typeof CODES

/** Row for codes of the schema's author: a `RAISE … USING HINT`, or an `SvcError` thrown by a hook. */
const AUTHORS_OWN: ErrorCode = { status: 422, exposed: true, doc: "A code of the schema's author." }
const UNKNOWN_OPERATOR: ErrorCode = operator('A boot or operator error of a plugin.')

/**
 * Error codes that the manifests of a service's plugins declare, by code. A map belongs to one service, because two
 * services in one process may run different plugins.
 */
export type DeclaredCodes = ReadonlyMap<string, ErrorCode>

/**
 * Looks up the properties of an error code in `CODES`, then in the codes of the plugins. An unknown code with the
 * prefix `SVC_` is an operator error. Any other unknown code comes from SQL or a hook of the schema's author: it is
 * exposed, with status 422.
 * @param declared codes that the plugins of the service declare
 */
export function describeCode(code: string, declared?: DeclaredCodes): ErrorCode {
  if (Object.hasOwn(CODES, code)) return CODES[code as Code]
  const row = declared?.get(code)
  if (row !== undefined) return row
  return code.startsWith('SVC_') ? UNKNOWN_OPERATOR : AUTHORS_OWN
}
