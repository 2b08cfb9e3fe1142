import { MASKED_FIELD, type MatrixRule } from './cells.ts'
import { API_KEY, bearer, KEYLESS, nobody, tokenOf, withClaims } from './tokens.ts'

const REVOKED = tokenOf({ sub: 'ann' })
const deep = (levels: number): string => `${'self { '.repeat(levels)}secret${' }'.repeat(levels)}`

/** Where nothing of another database is shown. */
/** Rows of a columnar query have no objects in them. */
const FLAT = { 'Arrow GET': 'rows are flat', 'Arrow POST': 'rows are flat' }
const FAR = {
  ...FLAT,
  'REST stream (NDJSON)': 'a stream has no rows of another database',
  'observer payload': 'an observer is sent the row that was written, and none of another database',
}

/** Rules of the plugins that are older than the matrix; a newer one has its own in the `matrix.ts` of its tests. */
export const RULES: readonly MatrixRule[] = [
  { name: 'The default policy', plugins: ['core'], kept: nobody, let: () => withClaims() },
  {
    name: 'A token that is not valid, on a public operation',
    plugins: ['jwt'],
    query: { public: true },
    kept: () => ({ headers: bearer(`${tokenOf()}x`) }),
    let: () => withClaims(),
  },
  {
    name: 'A token that has ended, on a public operation',
    plugins: ['jwt'],
    query: { public: true },
    kept: () => withClaims({ exp: 1 }),
    let: () => withClaims(),
  },
  {
    name: 'A token that was revoked',
    plugins: ['token-revocation'],
    query: { public: true },
    kept: () => ({ headers: bearer(REVOKED) }),
    let: () => withClaims(),
    async prepare(app) {
      const body = { token: REVOKED }
      const { status, text } = await app.inject({ method: 'POST', url: '/auth/revoke', headers: bearer(REVOKED), body })
      if (status !== 200) throw new Error(`revoke answered ${status} ${text}`)
    },
  },
  {
    name: 'An API key that nobody has, beside a good token',
    plugins: ['api-keys'],
    query: { public: true },
    kept: () => ({ headers: { ...withClaims().headers, 'x-api-key': `${API_KEY}x` } }),
    let: () => ({ headers: { 'x-api-key': API_KEY } }),
    shut: KEYLESS,
  },
  {
    name: 'An operation for API keys',
    plugins: ['scopes'],
    query: { api_key_required: true },
    kept: () => withClaims({ scope: '*' }),
    let: () => ({ headers: { 'x-api-key': API_KEY } }),
    shut: KEYLESS,
  },
  {
    name: 'The scope of an operation',
    plugins: ['scopes'],
    query: { requires_scope: 'read:secret' },
    kept: () => withClaims({ scope: 'read:secrets reads:secret read' }),
    let: () => withClaims({ scope: 'read:*' }),
  },
  {
    name: 'The role of an operation',
    plugins: ['scopes'],
    query: { requires_role: 'keeper' },
    kept: () => withClaims({ roles: ['Keeper', 'keepers'] }),
    let: () => withClaims({ roles: ['keeper'] }),
  },
  {
    name: 'The role of a type',
    plugins: ['scopes'],
    type: { requires_role: 'keeper' },
    kept: () => withClaims(),
    let: () => withClaims({ roles: ['keeper'] }),
  },
  {
    name: 'The scope of a field',
    plugins: ['scopes'],
    field: { requires_scope: 'read:secret' },
    kept: () => withClaims(),
    let: () => withClaims({ scope: 'read:secret' }),
  },
  {
    name: 'The policy of an operation',
    plugins: ['policies'],
    query: { requires_policy: 'keepers' },
    kept: () => withClaims(),
    let: () => withClaims({ roles: ['keeper'] }),
  },
  {
    name: 'The policy of a field, about the row',
    plugins: ['policies'],
    field: { authorize: 'owner' },
    kept: () => withClaims({ sub: 'eve' }),
    let: () => withClaims({ sub: 'ann' }),
    shut: { 'count and filter': 'a filter by what is hidden in some rows would tell what it holds' },
  },
  {
    name: 'A field that a plugin masks',
    plugins: ['masks'],
    field: { description: MASKED_FIELD },
    kept: () => withClaims(),
    let: () => withClaims({ roles: ['keeper'] }),
  },
  {
    name: 'A field that a plugin masks, in another database',
    plugins: ['masks'],
    far: { field: { description: MASKED_FIELD } },
    kept: () => withClaims(),
    let: () => withClaims({ roles: ['keeper'] }),
    shut: FAR,
  },
  {
    name: 'Rows of the tenant (inject)',
    plugins: ['core'],
    type: { inject: { owner: 'jwt:sub' } },
    kept: () => withClaims({ sub: 'eve' }),
    let: () => withClaims({ sub: 'ann' }),
  },
  {
    name: 'Rows of a filter, without the claim that it wants',
    plugins: ['core'],
    type: { inject: { owner: 'jwt:tenant' } },
    kept: () => withClaims({ tenant: undefined }),
    let: () => withClaims(),
  },
  {
    name: 'Rows of the tenant (inject), of a type that two queries give',
    plugins: ['core'],
    type: { inject: { owner: 'jwt:sub' } },
    beside: {},
    kept: () => withClaims({ sub: 'eve' }),
    let: () => withClaims({ sub: 'ann' }),
  },
  {
    name: 'Rows of the tenant (inject), of a type of which another query has a filter',
    plugins: ['core'],
    type: { inject: { owner: 'jwt:sub' } },
    beside: { row_filter: "owner <> 'nobody'" },
    kept: () => withClaims({ sub: 'eve' }),
    let: () => withClaims({ sub: 'ann' }),
  },
  {
    name: 'The role of a type that two queries give, one of them public',
    plugins: ['scopes'],
    type: { requires_role: 'keeper' },
    beside: { public: true },
    kept: () => withClaims(),
    let: () => withClaims({ roles: ['keeper'] }),
  },
  {
    name: 'The scope of a field of a type that two queries give',
    plugins: ['scopes'],
    field: { requires_scope: 'read:secret' },
    beside: {},
    kept: () => withClaims(),
    let: () => withClaims({ scope: 'read:secret' }),
  },
  {
    name: 'The scope of an operation, of a type that another query gives without',
    plugins: ['scopes'],
    query: { requires_scope: 'read:secret' },
    beside: {},
    kept: () => withClaims(),
    let: () => withClaims({ scope: 'read:secret' }),
  },
  {
    name: 'The policy of an operation, of a type that another query gives without',
    plugins: ['policies'],
    query: { requires_policy: 'keepers' },
    beside: {},
    kept: () => withClaims(),
    let: () => withClaims({ roles: ['keeper'] }),
  },
  {
    name: 'A page of another site, with cookies',
    plugins: ['csrf-prevention'],
    query: { public: true },
    kept: () => ({
      headers: {
        ...withClaims().headers,
        cookie: 'session=1',
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      },
    }),
    let: () => ({ headers: { ...withClaims().headers, cookie: 'session=1', 'sec-fetch-site': 'same-origin' } }),
  },
  {
    name: 'The depth of a document',
    plugins: ['query-limits'],
    kept: () => ({ ...withClaims(), selection: deep(12) }),
    let: () => ({ ...withClaims(), selection: deep(2) }),
    shut: FLAT,
  },
  {
    name: 'Rows of the tenant, in another database (inject)',
    plugins: ['core'],
    far: { type: { inject: { owner: 'jwt:sub' } } },
    kept: () => withClaims({ sub: 'eve' }),
    let: () => withClaims({ sub: 'ann' }),
    shut: FAR,
  },
  {
    name: 'The role of a type, in another database',
    plugins: ['scopes'],
    far: { type: { requires_role: 'keeper' } },
    kept: () => withClaims(),
    let: () => withClaims({ roles: ['keeper'] }),
    shut: FAR,
  },
  {
    name: 'The scope of a field, in another database',
    plugins: ['scopes'],
    far: { field: { requires_scope: 'read:secret' } },
    kept: () => withClaims(),
    let: () => withClaims({ scope: 'read:secret' }),
    shut: FAR,
  },
  {
    name: 'The policy of a field, about the row, in another database',
    plugins: ['policies'],
    far: { field: { authorize: 'owner' } },
    kept: () => withClaims({ sub: 'eve' }),
    let: () => withClaims({ sub: 'ann' }),
    shut: FAR,
  },
]

/** Plugins that hook a request and keep nobody out. */
export const HARMLESS: Readonly<Record<string, string>> = {
  apq: 'gives a document for its hash, before every rule; it is an entrance',
  'audit-log': 'writes down what the others decided',
  compression: 'makes what is answered shorter',
  cors: 'tells browsers; what it does not allow is not read there',
  'error-sanitization': 'shortens what was refused',
  graphql: 'the front itself',
  metrics: 'counts',
  middleware: "the author's own code",
  'security-headers': 'tells browsers',
  'circuit-breaker': 'refuses what a database that is down would (test/plugins/circuit-breaker)',
  'single-flight': 'shares equal work of equal callers (test/plugins/single-flight)',
}

/** Plugins that are not on in the service of the matrix. */
export const OFF: Readonly<Record<string, string>> = {
  'trusted-documents': 'a list of documents, which shuts all others (test/plugins/trusted-documents)',
}
