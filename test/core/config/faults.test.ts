// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration interpolates, not JavaScript
import t from 'tap'
import { loadConfig } from '../../../core/config/load-config.ts'
import { faultsOf, load, MANIFESTS } from './helpers.ts'

const TABLE: readonly (readonly [toml: string, fault: string])[] = [
  ['[servre]\nport = 1', 'svc.toml:1: there is no section [servre]. Did you mean "server"?'],
  ['[cors]\norigins = []', 'svc.toml:1: there is no section [cors]. Did you mean "server.cors"?'],
  ['[queries.defaults]\nwhere = false', 'svc.toml:1: [queries.defaults] is not a section. Write [query_defaults].'],
  ['[server]\n\nprot = 1', 'svc.toml:3: there is no key "prot" in [server]. Did you mean "port"?'],
  ['port = 1', 'svc.toml:1: there is no key "port" at the top of the file; it belongs in [server].'],
  ['[server]\npool_max = 1', 'svc.toml:2: there is no key "pool_max" in [server]; it belongs in [database].'],
  ['[server]\nport = "80"', 'svc.toml:2: server.port wants a whole number from 0 to 65535, got the text "80".'],
  ['[server]\nport = 8.5', 'svc.toml:2: server.port wants a whole number from 0 to 65535, got 8.5.'],
  ['[server]\nport = 70000', 'svc.toml:2: server.port wants a whole number from 0 to 65535, got 70000.'],
  ['[server]\nport = [1]', 'svc.toml:2: server.port wants a whole number from 0 to 65535, got an array.'],
  ['server = 1', 'svc.toml:1: server wants a table, got 1.'],
  ['[project]\nname = 1979-05-27', 'svc.toml:2: project.name wants a text that is not empty, got a date.'],
  ['[project]\nname = ""', 'svc.toml:2: project.name wants a text that is not empty, got the text "".'],
  ['[database]\npool_max = 0', 'svc.toml:2: database.pool_max wants a whole number of at least 1, got 0.'],
  [
    '[database]\nssl_mode = "on"',
    'svc.toml:2: database.ssl_mode wants one of "disable", "allow", "prefer", "require", got the text "on".',
  ],
  [
    '[server]\ntls = {\n  enabled = true,\n  min_version = "1.1",\n}',
    'svc.toml:4: server.tls.min_version wants one of "1.2", "1.3", got the text "1.1".',
  ],
  ['[svc.apq]\nenabled = 1', 'svc.toml:2: svc.apq.enabled wants true or false, got 1.'],
  ['[svc.apq]\ncache_sise = 1', 'svc.toml:2: there is no key "cache_sise" in [svc.apq]. Did you mean "cache_size"?'],
  ['[plugins]\nenable = "mcp"', 'svc.toml:2: plugins.enable wants an array of texts, got the text "mcp".'],
  ['[plugins]\nenable = [\n"a",\n2]', 'svc.toml:4: plugins.enable[1] wants a text that is not empty, got 2.'],
  [
    '[[plugins.use]]\noptions = {}',
    'svc.toml:1: plugins.use[0] wants a table with either `package` or `path`, got a table.',
  ],
  [
    '[server.cors]\ncontact = "me"',
    'svc.toml:2: server.cors.contact wants a text that is a valid email, got the text "me".',
  ],
  [
    '[session_variables]\nvariables = [{ name = "tenant", source = "literal", value = 1 }]',
    'svc.toml:2: session_variables.variables[0].name: "tenant" is no name of a session variable. It is letters, digits and _ in two or more parts with a dot between them, such as "app.tenant_id", of at most 63 characters, and does not begin with "svc.".',
  ],
  [
    '[[session_variables.variables]]\nname = "app.a"\nsource = "jwt"',
    'svc.toml:1: session_variables.variables[0]: the source "jwt" wants the key "claim".',
  ],
  [
    '[[session_variables.variables]]\nname = "app.a"\nsource = "literal"\nvalue = 1\nheader = "x"',
    'svc.toml:1: session_variables.variables[0]: the source "literal" has no "header".',
  ],
  [
    '[session_variables]\nvariables = [\n{ name = "app.a", source = "literal", value = 1 },\n{ name = "APP.a", source = "literal", value = 2 },\n]',
    'svc.toml:4: session_variables.variables[1].name: "APP.a" is there twice, and can have one value.',
  ],
  [
    '[[session_variables.variables]]\nname = "app.a"\nsource = "cookie"',
    'svc.toml:3: session_variables.variables[0].source wants one of "jwt", "header", "literal", got the text "cookie".',
  ],
  [
    '[[session_variables.variables]]\nname = "app.a"\nsource = "jwt"\nclaims = "x"',
    'svc.toml:4: there is no key "claims" in [session_variables.variables[0]]. Did you mean "claim"?',
  ],
  [
    '[database]\nanonymous_role = "web"',
    'svc.toml:2: database.anonymous_role: it means nothing without database.role_claim.',
  ],
  [
    '[database]\nrole_claim = "r"\nanonymous_role = "none"',
    'svc.toml:3: database.anonymous_role: "none" is no role, but the user of database.url.',
  ],
  ['[security]\njwt_secret = 12345', 'svc.toml:2: security.jwt_secret wants a text, got a number.'],
  ['[security]\npin = "4711"', 'svc.toml:2: security.pin wants a whole number, got a text of 4 characters.'],
  [
    '[database]\npool_min = "postgres://u:pw@h/x"',
    'svc.toml:2: database.pool_min wants a whole number of at least 0, got the text "postgres://h/x".',
  ],
]

for (const [toml, fault] of TABLE) {
  // The name is that of a folder, too.
  t.test(fault.slice(0, 150), async (t) => t.strictSame(await faultsOf(t, toml), [fault]))
}

t.test('an unknown section without a near one lists those there are', async (t) => {
  const [fault] = await faultsOf(t, '[zzzzzzzzzz]\nx = 1')
  t.match(fault, /^svc\.toml:1: there is no section \[zzzzzzzzzz\]\. Sections: project, database, databases, server/)
  const [key] = await faultsOf(t, '[project]\nzzzzzzzzzz = 1')
  t.equal(
    key,
    'svc.toml:2: there is no key "zzzzzzzzzz" in [project]. Keys: name, version, description, database_target.',
  )
})

t.test('all faults come at once, in the order of the file', async (t) => {
  const toml = '[server]\nport = "x"\nhots = "y"\n[database]\nurl = "${MISSING}"\n[serverr]\n'
  const faults = await faultsOf(t, toml, { env: { SVC_DATABASE__POOL_MAX: 'many' } })
  t.strictSame(
    faults.map((fault) => fault.slice(0, fault.indexOf(': '))),
    ['SVC_DATABASE__POOL_MAX', 'svc.toml:2', 'svc.toml:3', 'svc.toml:5', 'svc.toml:6'],
  )
  const error = await load(t, toml).catch((error) => error)
  t.match(error, {
    code: 'SVC_CONFIG_INVALID',
    message: /^The configuration cannot be used, for 4 reasons:/,
    details: { faults: [{ key: String, place: String, message: String }] },
  })
})

t.test('invalid TOML is reported with line and column', async (t) => {
  const error = await load(t, '[server]\nport = = 1\n').catch((error) => error)
  t.match(error, { code: 'SVC_CONFIG_INVALID', message: /^svc\.toml:2:8: this is not valid TOML: / })
  const unclosed: Record<string, RegExp> = {
    '[project]\nname = "shop\n[server]\n':
      /^svc\.toml:2:13: .*: the string is not closed; its closing quote is missing/,
    "name = 'shop\r\n": /^svc\.toml:1:13: .*: the string is not closed/,
    'a = ["a", "b': /^svc\.toml:1:11: .*: the string that begins here is never closed; its closing " is missing/,
    'a = """b\n[server]\n': /^svc\.toml:1:5: .*its closing """ is missing/,
    'a = "b\u0001c"': /control characters are not allowed in strings/,
  }
  for (const [toml, message] of Object.entries(unclosed)) t.match(await load(t, toml).catch((e) => e), { message })
  t.match(await load(t, 'a = 1\na = 2\n').catch((error) => error), { message: /^svc\.toml:2:1: .*already defined/ })
})

t.test('a file that is not there, or a folder', async (t) => {
  const cwd = t.testdir({ 'sub.toml': {} })
  const catalog = () => ({ manifests: MANIFESTS })
  await t.rejects(loadConfig({ file: 'nope.toml', cwd, env: {}, catalog }), {
    code: 'SVC_CONFIG_NOT_FOUND',
    message: /There is no configuration file nope\.toml.*svc init NAME/,
  })
  await t.rejects(loadConfig({ file: 'sub.toml', cwd, env: {}, catalog }), {
    code: 'SVC_CONFIG_NOT_FOUND',
    message: /it is a folder/,
  })
  const { config, baseDir } = await loadConfig({ file: 'nope.toml', cwd, env: {}, optional: true, catalog })
  t.equal(baseDir, cwd)
  t.match(config.server, { port: 8080 })
})

t.test('a file outside of the working directory is named in full', async (t) => {
  const dir = t.testdir({ 'svc.toml': 'x = 1\n', inner: {} })
  const options = { file: '../svc.toml', cwd: `${dir}/inner`, env: {}, catalog: () => ({ manifests: [] }) }
  await t.rejects(loadConfig(options), { message: new RegExp(`${dir}/svc\\.toml:1: `) })
})

t.test('rules for input in the section of limits are errors that name their section', async (t) => {
  const [apq] = MANIFESTS
  const options = { type: 'object', properties: { max_query_depth: { type: 'integer' } } }
  const catalog = () => ({ manifests: [{ ...apq!, name: 'query-limits', config: 'validation', options }] })
  for (const rules of ['email = "required"', 'email = { pattern = "@" }']) {
    await t.rejects(load(t, `[validation]\n${rules}`, { catalog }), {
      message: /Rules for what clients send stand in \[svc\.validation\]/,
    })
  }
  await t.rejects(load(t, '[validation]\nmax_query_dept = 1', { catalog }), {
    message: /Did you mean "max_query_depth"/,
  })
})

t.test('two plugins that claim one key, and options that are no JSON Schema', async (t) => {
  const [apq] = MANIFESTS
  const twice = [...MANIFESTS, { ...apq!, name: 'apq-too' }]
  await t.rejects(load(t, '', { catalog: () => ({ manifests: twice }) }), {
    code: 'SVC_PLUGIN_INVALID',
    message: 'The configuration key svc.apq.cache_size belongs to plugin "apq" and is claimed by plugin "apq-too" too.',
  })
  const inside = [...MANIFESTS, { ...apq!, name: 'tls', config: 'server.port' }]
  await t.rejects(load(t, '', { catalog: () => ({ manifests: inside }) }), { code: 'SVC_PLUGIN_INVALID' })
  const broken = [{ ...apq!, name: 'odd', options: { type: 'object', properties: { a: { type: 'strng' } } } }]
  await t.rejects(load(t, '', { catalog: () => ({ manifests: broken }) }), {
    code: 'SVC_PLUGIN_INVALID',
    message: /^The options of plugin "odd" are no valid JSON Schema: /,
  })
})

t.test('schemas with references and choices of their own', async (t) => {
  const manifest = {
    ...MANIFESTS[0]!,
    name: 'validation',
    config: 'svc.validation',
    options: {
      type: 'object',
      $defs: {
        rule: {
          type: 'object',
          properties: { all: { type: 'array', items: { $ref: '#/$defs/rule' } }, required: { type: 'boolean' } },
          additionalProperties: false,
        },
      },
      properties: { level: { anyOf: [{ type: 'integer' }, { const: 'off' }], description: 'a level or "off"' } },
      additionalProperties: { $ref: '#/$defs/rule' },
    },
  }
  const catalog = () => ({ manifests: [manifest] })
  const { config } = await load(t, '[svc.validation]\n"User.email" = { all = [{ required = true }] }\n', { catalog })
  t.match(config.svc, { validation: { 'User.email': { all: [{ required: true }] } } })
  const faults = await faultsOf(t, '[svc.validation]\nlevel = "x"\n"User.email" = { all = [{ requird = true }] }\n', {
    catalog,
  })
  t.match(faults, [
    'svc.toml:2: svc.validation.level wants a level or "off", got the text "x".',
    /^svc\.toml:3: there is no key "requird" in \[svc\.validation\."User\.email"\.all\[0\]\]/,
  ])
})

t.test('the requirements of plugin keys are explained in words', async (t) => {
  const WANTS: readonly (readonly [schema: object, toml: string, want: string])[] = [
    [{ type: 'string', pattern: '^a' }, '"b"', 'a text that matches ^a, got the text "b"'],
    [{ type: 'string', minLength: 32 }, '"short"', 'a text of at least 32 characters, got the text "short"'],
    [{ type: 'string', maxLength: 2 }, '"long"', 'a text of at most 2 characters, got the text "long"'],
    [{ type: 'number', exclusiveMinimum: 0 }, '0', 'a number above 0, got 0'],
    [{ type: 'number', maximum: 1 }, '2', 'a number of at most 1, got 2'],
    [
      { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1 },
      '[]',
      'an array of "a", "b" with at least 1 entries, got an array',
    ],
    [{ type: 'array', items: {}, maxItems: 1 }, '[1, 2]', 'an array with at most 1 entries, got an array'],
    [{ type: ['string', 'integer'] }, 'true', 'a whole number or a text, got true'],
    [{ const: 'on' }, '"off"', '"on", got the text "off"'],
    [{ enum: [1] }, '2', '1, got 2'],
    [
      { type: 'string', maxLength: 3 },
      `"${'x'.repeat(100)}"`,
      `a text of at most 3 characters, got the text "${'x'.repeat(80)}…"`,
    ],
  ]
  for (const [schema, toml, want] of WANTS) {
    const manifest = { ...MANIFESTS[0]!, options: { type: 'object', properties: { key: schema } } }
    const faults = await faultsOf(t, `[svc.apq]\nkey = ${toml}\n`, { catalog: () => ({ manifests: [manifest] }) })
    t.strictSame(faults, [`svc.toml:2: svc.apq.key wants ${want}.`])
  }
})

t.test('a key that must be there', async (t) => {
  const options = { type: 'object', required: ['path'], properties: { path: { type: 'string' } } }
  const catalog = () => ({ manifests: [{ ...MANIFESTS[0]!, options }] })
  t.strictSame(await faultsOf(t, '\n[svc.apq]\n', { catalog }), [
    'svc.toml:2: svc.apq.path is missing; it wants a text.',
  ])
})

t.test('required keys of a section that is absent are not required', async (t) => {
  const options = { type: 'object', required: ['path'], properties: { path: { type: 'string' } } }
  const catalog = () => ({ manifests: [{ ...MANIFESTS[0]!, options }] })
  t.match((await load(t, '[svc]\nmax_rows = 1\n', { catalog })).config.svc, { max_rows: 1 })
})
