import type { Config } from '../contract/config.ts'
import type { JsonSchema } from '../contract/manifest.ts'
import { CONNECTIONS, functionsFolder, OTHER_DATABASES, SSL_MODE } from './database-keys.ts'
import { type CoreSection, delay, flag, text, whole } from './section-schema.ts'

const section = (path: string, description: string, properties: Record<string, JsonSchema>): CoreSection => ({
  path,
  schema: { type: 'object', description, properties },
})

const names = (description: string, example: readonly string[]): JsonSchema => ({
  type: 'array',
  items: { type: 'string', minLength: 1 },
  default: [],
  description,
  examples: [example],
})

const renames = (description: string, example: Readonly<Record<string, string>>): JsonSchema => ({
  type: 'object',
  additionalProperties: { type: 'string', minLength: 1 },
  default: {},
  description,
  examples: [example],
})

/** JSON Schemas of the sections of `svc.toml` that core reads. Plugins declare their sections in their manifests. */
export const CORE_SECTIONS: readonly CoreSection[] = [
  section('project', 'What this project is.', {
    name: text('Project identifier.', { default: 'my-svc-app', minLength: 1 }),
    version: text('Semantic version of the project.', { default: '1.0.0' }),
    description: text('What the API is for.', { examples: ['Orders and customers of the shop'] }),
    database_target: {
      enum: ['postgresql', 'mysql', 'sqlite', 'sqlserver'],
      description:
        'Kind of database the project is written for. svc refuses a database.url of another kind, and `svc compile --offline` without a URL takes its dialect.',
      examples: ['postgresql'],
    },
  }),
  section('database', 'The database that is served.', {
    url: text(
      'Connection URL: `postgres://…` for a server, `pglite:<folder>` for the embedded PostgreSQL (relative to this file), ' +
        '`pglite:memory` for one that lives as long as the process. `DATABASE_URL` overrides it.',
      { examples: ['postgres://user:password@localhost:5432/shop'] },
    ),
    ssl_mode: SSL_MODE,
    ...CONNECTIONS,
    role_claim: text(
      'Claim (or a path with dots) that names the role of the database that the statements of a request run as, by `SET LOCAL ROLE`. ' +
        'A credential without it is refused. PostgreSQL only.',
      { minLength: 1, examples: ['role'] },
    ),
    anonymous_role: text('With `role_claim`: the role of requests without a credential. Absent: they are refused.', {
      minLength: 1,
      examples: ['web_anonymous'],
    }),
    init_dir: text(
      'Folder whose `*.sql` files are applied, in the order of their names, when an embedded database is created.',
      { default: 'db' },
    ),
    slow_statement_ms: delay(
      'Write a line to the log for every statement of an operation that took this many milliseconds or more: its text without ' +
        'values, the operation, the request id. 0 = none.',
      0,
    ),
    functions: functionsFolder({ default: 'db/functions' }),
  }),
  OTHER_DATABASES,
  section('server', 'The HTTP server.', {
    host: text('Address to bind.', { default: '0.0.0.0', minLength: 1 }),
    port: whole('Port to listen on; 0 picks a free one.', 8080, 0, { maximum: 65_535 }),
    request_timeout_ms: delay('Longest time a request may take, in milliseconds; 0 = no limit.', 30_000),
    keep_alive_secs: whole('Idle connections are closed after this many seconds.', 75, 0, { maximum: 2_147_483 }),
    max_body_bytes: whole('Largest request body, in bytes.', 1_048_576, 1),
    shutdown_grace_ms: delay(
      'After SIGTERM the readiness check answers 503 this many milliseconds before the listener closes.',
      500,
    ),
    shutdown_timeout_ms: delay(
      'Requests in flight have this many milliseconds to finish after SIGTERM, plugins and database to close. What hangs is left behind.',
      15_000,
    ),
    max_upgraded_connections: whole(
      'Maximum number of upgraded connections (WebSockets) per process, including upgrade requests that are answered in HTTP. Further ones get 503.',
      20_000,
      1,
    ),
    workers: whole(
      'Processes that serve. More than one are supervised: one that dies is started again. They share `pool_max`.',
      1,
      1,
      { maximum: 256 },
    ),
    access_log: flag(
      'Write a line to the log for every request: method, path, status, milliseconds, bytes, request id, operation.',
      false,
    ),
  }),
  section('server.tls', 'TLS of the HTTP server.', {
    enabled: flag('Serve HTTPS.', false),
    cert_file: text('PEM file with the certificate chain, relative to this file.', { examples: ['certs/server.pem'] }),
    key_file: text('PEM file with the private key, relative to this file.', { examples: ['certs/server.key'] }),
    min_version: text('Lowest TLS version that is accepted.', { enum: ['1.2', '1.3'], default: '1.2' }),
  }),
  section('svc', 'The schema and its bounds.', {
    schema_file: text('Schema that `svc compile` reads: `.ts`, `.js`, `.py` or `.json`, relative to this file.', {
      default: 'schema.json',
      minLength: 1,
    }),
    output_file: text('Compiled schema that `svc compile` writes and `svc run` serves, relative to this file.', {
      default: 'schema.compiled.json',
      minLength: 1,
    }),
    python: text(
      'Interpreter of a schema in Python: a command, or a path relative to this file. Absent: that of `.venv`, else `python3`.',
      { minLength: 1, examples: ['python3.12'], environment: 'SVC_PYTHON' },
    ),
    python_timeout_ms: delay('Time limit of a schema module in Python.', 60_000, 1),
    create_tables: flag(
      'Plugins make the tables of their own at start (API keys, revoked tokens). Off, or where the role may not: `svc tables`.',
      true,
    ),
    max_rows: whole('A list without `limit` that has more rows than this is an error; 0 = no bound.', 10_000),
    max_sort_keys: whole('A list, or an aggregate, with more sort keys than this is refused; 0 = no bound.', 32),
    max_group_keys: whole('An aggregate with more group keys than this is refused; 0 = no bound.', 16),
    max_document_tokens: whole('Documents with more tokens than this are refused while they are parsed.', 10_000, 1),
    max_response_bytes: whole(
      'A result of a read that is larger than this, in bytes, is refused while it arrives; 0 = no bound.',
      67_108_864,
    ),
  }),
  {
    path: 'svc.validation',
    schema: {
      type: 'object',
      description:
        'Rules for what clients send, which `svc compile` reads: by input (`create_user`), field of one (`"CreateUser.email"`, `create_user_email`), ' +
        'or field of all (`email`). See docs/guides/validate-input.md.',
      properties: {},
      additionalProperties: true,
    },
  },
  section('query_defaults', 'Arguments that list queries get unless their `auto_params` says otherwise.', {
    where: flag('`where` filters.', true),
    order_by: flag('`orderBy`.', true),
    limit: flag('`limit`.', true),
    offset: flag('`offset`.', true),
  }),
  section('security', 'Who may do what.', {
    default_policy: text('Access where no decorator applies: any verified credential, or everybody.', {
      enum: ['authenticated', 'public'],
      default: 'authenticated',
    }),
  }),
  section(
    'session_variables',
    'Settings of the database session for the statements of one request. They are reset after it.',
    {
      variables: {
        type: 'array',
        default: [],
        description:
          'Variables: `name` (with a dot), `source`, and by source `claim` (`jwt`), `header` or `value` (`literal`). ' +
          'One without a value is not set, and with `required = true` the request is refused.',
        examples: [[{ name: 'app.tenant_id', source: 'jwt', claim: 'tenant_id', required: true }]],
        items: {
          type: 'object',
          required: ['name', 'source'],
          properties: {
            name: text('`app.tenant_id`: two or more parts with a dot between them.', { minLength: 1 }),
            source: text('Where the value comes from.', { enum: ['jwt', 'header', 'literal'] }),
            claim: text('Of a verified credential: a key, or a path with dots. Lists and objects are set as JSON.', {
              minLength: 1,
            }),
            header: text('Of the request; any client can send any.', { minLength: 1 }),
            value: { type: ['string', 'number', 'boolean'], description: 'The same for every request.' },
            required: flag('Refuse requests that have no value for it.', false),
          },
          additionalProperties: false,
        },
      },
      inject_started_at: {
        type: 'boolean',
        description:
          'Set `svc.started_at`, when the operation began (ISO 8601, UTC). Absent: where there are `variables`.',
      },
    },
  ),
  section('introspect', 'The schema that `svc introspect` proposes for the database.', {
    schemas: names('Schemas of the database whose tables, views and functions are proposed. Empty: all.', ['app']),
    exclude: names('Patterns of tables, views and functions that are left out.', ['audit.*', '*_old']),
    mutations: flag('Propose mutations for functions that may write.', false),
    crud: flag('Generate functions that write the tables, and their mutations.', false),
    types: renames('Types by table or view, in place of the derived names.', { tbl_kunde: 'Customer' }),
    fields: renames('Fields by column, in place of the derived names.', { 'customer.vat': 'vatNumber' }),
  }),
  section('advise', 'Advice on the database, by `svc advise` and as warnings of `svc compile`.', {
    ignore: names('Ids of advice that is not reported, one by one: `rule:subject`, as printed.', [
      'index-relation:post.author_id',
    ]),
  }),
  section('debug', 'Insight for developers. Not for production.', {
    enabled: flag('Master switch: the other keys do nothing without it.', false),
    database_explain: flag('Tell in `/api/v1/query/explain` how the database would run it.', false),
    expose_sql: flag('Tell in `/api/v1/query/explain` the SQL and its values.', true),
    server_timing: flag('Say in the header `Server-Timing` how long each stage of a request took.', true),
  }),
  section('plugins', 'Which plugins run.', {
    preset: text('List to start from: `minimal`, `standard` or `full`.', { default: 'standard', minLength: 1 }),
    enable: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'Plugins to add to the preset.',
    },
    disable: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'Plugins to leave out.',
    },
    use: {
      type: 'array',
      default: [],
      description: 'Plugins of other packages: `package` (a name) or `path` (a file), and `options`.',
      items: {
        type: 'object',
        properties: {
          package: text('Name of an installed package, resolved from the folder of this file.', { minLength: 1 }),
          path: text('File of the plugin, relative to this file.', { minLength: 1 }),
          options: { type: 'object', description: 'Options of the plugin.', default: {} },
        },
        additionalProperties: false,
        oneOf: [{ required: ['package'] }, { required: ['path'] }],
        description: 'a table with either `package` or `path`',
      },
    },
  }),
]

/** The section `[plugins]` of svc.toml after validation, which decides the plugins that run. */
export type PluginsSection = Config['plugins']
