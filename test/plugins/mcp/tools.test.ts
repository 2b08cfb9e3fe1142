import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { definePlugin } from '../../../core/doors/plugin.ts'
import auditLog from '../../../plugins/audit-log/index.ts'
import type { McpOptions } from '../../../plugins/mcp/options.ts'
import queryLimits from '../../../plugins/query-limits/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { writeProject } from '../../helpers/open-project.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { requireService } from '../../helpers/services.ts'
import { as } from '../../helpers/test-credential.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { ask, call, createLibrary, errorOf, openWorld, SCHEMA } from './world.ts'

const tool = (more: object) => ({ name: 't', operation: 'books', arguments: {}, hide: [], ...more })
const offered = async (app: Awaited<ReturnType<typeof openWorld>>, headers = {}) =>
  (await ask(app, 'tools/list', {}, headers)).result.tools as { name: string; inputSchema: { properties: object } }[]

/** One for all: what they write nobody else looks at. */
const library = (await requireService(t, 'postgres')) ? await createLibrary(t) : undefined

t.test('which tools there are', async (t) => {
  if (library === undefined) return

  await t.test('include and exclude hold for the list and for calls', async (t) => {
    const app = await openWorld(t, {
      library,
      mcp: { include: ['books', 'own_books', 'pagedBooks'], exclude: ['paged_books'] },
    })
    t.same(
      (await offered(app)).map(({ name }) => name),
      ['books'],
    )
    t.same(
      (await offered(app, as({}))).map(({ name }) => name),
      ['books', 'ownBooks'],
    )
    for (const name of ['pagedBooks', 'book', 'authors', 'retitle']) {
      t.match(await call(app, name, {}, as({ roles: ['editor'] })), { error: { code: -32602 } }, name)
    }
    t.match(await ask(app, 'prompts/get', { name: 'book', arguments: { id: '1' } }), { error: { code: -32602 } })
    t.match(await ask(app, 'resources/read', { uri: 'svc://query/book' }), { error: { code: -32002 } })
    t.match(
      await ask(app, 'resources/read', { uri: 'svc://type/Slow' }),
      { error: { code: -32002 } },
      'nothing leads to it',
    )
  })

  await t.test('tools of a team', async (t) => {
    const curated: McpOptions['tools'] = [
      tool({
        name: 'calm_books',
        description: 'Calm ones.',
        arguments: { where: { mood: { _eq: 'CALM' } }, orderBy: [{ id: 'ASC' }] },
        hide: ['offset'],
        fields: ['id', 'author.name'],
      }),
      tool({ name: 'by_id', operation: 'book' }),
    ]
    const app = await openWorld(t, { library, mcp: { tools: curated, include: ['authors'] } })
    const tools = await offered(app)
    t.same(
      tools.map(({ name }) => name),
      ['calm_books', 'by_id', 'authors'],
      'others only if include names them',
    )
    t.same(Object.keys(tools[0]!.inputSchema.properties), ['limit'])
    t.match(tools[0], { title: 'Calm books', description: 'Calm ones.' })
    const { result } = await call(app, 'calm_books', { limit: 2 })
    t.same(result.structuredContent, {
      books: [
        { id: '2', author: { name: 'Ada' } },
        { id: '4', author: { name: 'Ada' } },
      ],
    })
    for (const args of [{ where: {} }, { offset: 1 }, { fields: ['title'] }, { orderBy: [] }]) {
      t.match(
        errorOf(await call(app, 'calm_books', args)),
        { code: 'BAD_USER_INPUT', message: /argument/ },
        JSON.stringify(args),
      )
    }
    t.match(await call(app, 'books'), { error: { code: -32602 } })
  })

  await t.test('which end of a connection is fixed stays fixed', async (t) => {
    const app = await openWorld(t, {
      library,
      mcp: {
        tools: [
          tool({ name: 'last', operation: 'pagedBooks', arguments: { last: 3, orderBy: [{ id: 'ASC' }] } }),
          tool({ name: 'start', operation: 'pagedBooks', arguments: { first: 2 } }),
        ],
      },
    })
    const [last, start] = await offered(app)
    for (const { inputSchema } of [last!, start!])
      t.strictSame(
        Object.keys(inputSchema.properties).filter((name) => name === 'first' || name === 'last'),
        [],
      )
    const { edges } = (await call(app, 'last')).result.structuredContent.pagedBooks
    t.same(
      edges.map((edge: { node: { id: string } }) => edge.node.id),
      ['248', '249', '250'],
    )
    t.match(errorOf(await call(app, 'last', { first: 1 })), { code: 'BAD_USER_INPUT', message: /no argument/ })
    t.match(errorOf(await call(app, 'start', { last: 1 })), { code: 'BAD_USER_INPUT', message: /no argument/ })
  })

  await t.test('a null inside a filter is refused, null in the place of one is none', async (t) => {
    const app = await openWorld(t, { library })
    const found = await call(app, 'books', { where: null, limit: 2 })
    t.equal(found.result.structuredContent.books.length, 2)
    for (const where of [{ title: null }, { title: { _eq: null } }, { author: null }, { _not: null }]) {
      const error = { code: 'BAD_USER_INPUT', message: /"where\.\S+" of "books": null is no .*_is_null/ }
      t.match(errorOf(await call(app, 'books', { where, limit: 2 })), error, JSON.stringify(where))
    }
  })

  await t.test('fixed arguments of a tool give no further access', async (t) => {
    const where = { author: { secret: { _eq: 'x' } } }
    const app = await openWorld(t, {
      library,
      mcp: {
        tools: [
          tool({ name: 'mine', operation: 'tenantBooks', arguments: { where: { mood: { _eq: 'CALM' } } } }),
          tool({ name: 'peek', arguments: { where } }),
          tool({ name: 'shown', operation: 'authors', fields: ['secret'] }),
        ],
      },
    })
    const count = async (subject: string) =>
      (await call(app, 'mine', {}, as({ subject }))).result.structuredContent.tenantBooks.length
    t.same([await count('ann'), await count('eve')], [20, 0], 'whose rows they are is asked of each caller')
    for (const name of ['peek', 'shown']) {
      t.match(errorOf(await call(app, name, {}, as({}))), { code: 'FORBIDDEN' }, name)
      t.notOk(errorOf(await call(app, name, {}, as({ scopes: ['read:secret'] }))), name)
    }
    const tries: object[] = [
      { where: {} },
      { Where: {} },
      { __proto__: null, where: null },
      { constructor: 1 },
      { toString: 1 },
    ]
    for (const args of tries) t.match(errorOf(await call(app, 'mine', args, as({}))), { code: 'BAD_USER_INPUT' })
  })

  await t.test('fixed fields are what the output schema says', async (t) => {
    const app = await openWorld(t, { library, mcp: { tools: [tool({ fields: ['id', 'author.books.title'] })] } })
    const [{ outputSchema }] = (await ask(app, 'tools/list')).result.tools
    const text = JSON.stringify(outputSchema)
    t.match(text, /"author".*"books".*"title"/)
    t.notMatch(text, /price|mood|secret/)
  })

  await t.test('only callers who may use a tool receive errors about its arguments', async (t) => {
    const app = await openWorld(t, { library })
    for (const args of [{}, { idd: 1 }, { id: 'x', title: 5 }, { id: 1, title: 'x', fields: ['titel'] }]) {
      t.match(errorOf(await call(app, 'retitle', args)), {
        code: 'UNAUTHENTICATED',
        message: 'Authentication required',
      })
      const refused = errorOf(await call(app, 'retitle', args, as({ roles: ['reader'] })))
      t.strictSame(refused, { code: 'FORBIDDEN', message: 'Access denied' }, JSON.stringify(args))
      t.match(errorOf(await call(app, 'retitle', args, as({ roles: ['editor'] }))), { code: 'BAD_USER_INPUT' })
    }
  })

  await t.test('an invalid tool is reported when the schema is loaded', async (t) => {
    const cases: [Partial<McpOptions>, RegExp][] = [
      [{ include: ['bookz'] }, /include: there is no query or mutation "bookz"\. Did you mean "books"\?/],
      [{ exclude: ['x'] }, /exclude: there is no query or mutation "x"/],
      [{ tools: [tool({ operation: 'bocks' })] }, /tools "t": there is no query or mutation "bocks"/],
      [{ tools: [tool({}), tool({})] }, /two are named "t"/],
      [{ tools: [tool({ arguments: { wher: {} } })] }, /has no argument "wher"\. Did you mean "where"\?/],
      [{ tools: [tool({ arguments: { limit: 'x' } })] }, /the value of "limit" is none/],
      [{ tools: [tool({ operation: 'book', hide: ['id'] })] }, /"id" is hidden, and every call needs it/],
      [{ tools: [tool({ fields: ['titel'] })] }, /Did you mean "title"\?/],
      [{ tools: [tool({})], exclude: ['books'] }, /tools "t": it calls "books", which exclude names/],
      [{ tools: [tool({ operation: 'paged_books' })], exclude: ['pagedBooks'] }, /which exclude names/],
      [
        { tools: [tool({ operation: 'tenantBooks', arguments: { owner: 'bob' } })] },
        /"tenantBooks" has no argument "owner"/,
      ],
    ]
    for (const [mcp, message] of cases) await t.rejects(openWorld(t, { library, mcp }), { message }, String(message))
  })

  await t.test('limits, metrics and names are those of every call', async (t) => {
    let counted: readonly { name: string; read: () => unknown }[] = []
    const counter = definePlugin(
      { name: 'counter', version: '1.0.0', kernelApi: 1, description: 'Reads metrics.' },
      (scope) => {
        scope.onReady(() => {
          counted = scope.metrics.collect()
        })
      },
    )
    const app = await openWorld(t, { library, plugins: [entry(queryLimits, { max_query_depth: 2 }), entry(counter)] })
    t.match(errorOf(await call(app, 'books', { fields: ['author.books.title'] })), { code: 'VALIDATION_ERROR' })
    t.notOk(errorOf(await call(app, 'books', { fields: ['title'] })))
    await call(app, 'nothing')
    const samples = (name: string) => JSON.stringify(counted.find((metric) => metric.name === name)?.read())
    t.match(samples('svc_mcp_tool_calls_total'), /"books".*2/)
    t.match(samples('svc_mcp_tool_errors_total'), /"books".*1/)
    t.notMatch(samples('svc_mcp_tool_calls_total'), /nothing/, 'no series for what a client makes up')
  })

  await t.test('an argument of the author keeps its name; pages of lists; prompts; resources', async (t) => {
    const { queries = [] } = SCHEMA
    const app = await openWorld(t, { library, mcp: { list_page_size: 3 } })
    t.ok(queries.length > 3)
    const names: string[] = []
    let cursor: string | undefined
    do {
      const { result } = await ask(app, 'tools/list', cursor === undefined ? {} : { cursor })
      t.ok(result.tools.length <= 3)
      names.push(...result.tools.map(({ name }: { name: string }) => name))
      cursor = result.nextCursor
    } while (cursor !== undefined && names.length < 100)
    t.same(names, ['books', 'book', 'countedBooks', 'pagedBooks', 'authors', 'slows', 'tenantBooks', 'fail'])
    t.match(await ask(app, 'tools/list', { cursor: 'x' }), { error: { code: -32602 } })
    const { result } = await ask(app, 'prompts/list')
    t.match(result.prompts, [
      { name: 'books', arguments: [] },
      { name: 'book', arguments: [{ name: /^id$/, required: true }] },
    ])
    t.notMatch(JSON.stringify(result), 'retitle', 'no prompt for what may not be called')
    const prompt = await ask(app, 'prompts/get', { name: 'book', arguments: { id: '"; ignore' } })
    t.match(prompt.result.messages, [
      { role: 'user', content: { text: /One book\.[\s\S]*`book`[\s\S]*- id: "\\"; ignore"/ } },
    ])
    t.match(await ask(app, 'prompts/get', { name: 'retitle', arguments: { id: '1', title: 'x' } }), {
      error: { code: -32602 },
    })
    t.match(await ask(app, 'prompts/get', { name: 'book' }), { error: { code: -32602, message: /"id"/ } })
    const read = async (uri: string, headers = {}) => {
      const answer = await ask(app, 'resources/read', { uri }, headers)
      return answer.error ?? JSON.parse(answer.result.contents[0].text)
    }
    const schema = await read('svc://schema')
    t.notMatch(JSON.stringify(schema), /retitle|ownBooks/)
    t.match(JSON.stringify(await read('svc://schema', as({ roles: ['editor'] }))), /retitle/)
    const fieldsOf = async (name: string, headers = {}) =>
      (await read(`svc://type/${name}`, headers)).fields.map((field: { name: string }) => field.name)
    t.match(await read('svc://type/Author'), { name: 'Author', fields: [{ name: /^id$/, type: 'ID!' }] })
    t.same(await fieldsOf('Author'), ['id', 'name', 'books'], 'what the caller is refused is not there')
    t.same(await fieldsOf('Author', as({ scopes: ['read:secret'] })), ['id', 'name', 'secret', 'books'])
    t.match(await read('svc://query/book'), { name: 'book', inputSchema: {} })
    for (const uri of [
      'svc://type/Nothing',
      'svc://type/',
      'svc://mutation/retitle',
      'svc://type/a%ZZ',
      'file:///etc/passwd',
    ]) {
      t.match(await read(uri), { code: -32002, data: { uri } }, uri)
    }
    const complete = async (ref: object, name: string, value: string) =>
      (await ask(app, 'completion/complete', { ref, argument: { name, value } })).result?.completion.values
    t.same(await complete({ type: 'ref/resource', uri: 'svc://type/{name}' }, 'name', 'A'), ['Author'])
    t.same(await complete({ type: 'ref/prompt', name: 'book' }, 'id', ''), [])
    t.equal(await complete({ type: 'ref/prompt', name: 'retitle' }, 'id', ''), undefined)
  })
})

t.test('the audit log has calls of agents as it has those of others, and no lists', async (t) => {
  if (library === undefined) return
  const file = join(t.testdir({}), 'audit.jsonl')
  const audit = entry(auditLog as never, { enabled: true, level: 'info', sink: 'file', file })
  const app = await openWorld(t, {
    library,
    plugins: [audit],
    mcp: { tools: [tool({ name: 'rename', operation: 'retitle' })] },
  })
  const [editor, reader] = [as({ subject: 'ed', roles: ['editor'] }), as({ subject: 'eve' })]
  await ask(app, 'tools/list', {}, reader)
  await ask(app, 'resources/read', { uri: 'svc://schema' }, reader)
  await call(app, 'rename', { id: 8, title: 'Eight' }, editor)
  await call(app, 'rename', { id: 8, title: 'a secret of somebody' }, reader)
  await call(app, 'rename', { id: 8, title: 'Eight', fields: ['author.secret'] }, editor)
  const input = new PassThrough()
  const answered = new Promise((resolve) => {
    app.kernel.provided('mcp')!.serve({ input, headers: editor, write: resolve, ended: () => {} })
  })
  const params = { name: 'rename', arguments: { id: 9, title: 'Nine' } }
  input.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`)
  await answered
  await app.kernel.settled(2000)
  let text = ''
  for (let left = 400; left > 0 && text.split('\n').length < 5; left--) {
    await sleep(25)
    text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  await sleep(100)
  const events = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  t.same(
    events.map(({ actor, action, resource, outcome, reason }) => [actor, action, resource, outcome, reason ?? '-']),
    [
      ['ed', 'mutate', 'retitle', 'success', '-'],
      ['eve', 'mutate', 'retitle', 'denied', 'FORBIDDEN'],
      ['ed', 'mutate', 'retitle', 'denied', 'FORBIDDEN'],
      ['ed', 'mutate', 'retitle', 'success', '-'],
    ],
  )
  t.notMatch(text, /Eight|a secret of somebody/, 'nothing of what was sent')
})

t.test('svc mcp check', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: 'CREATE VIEW v_note AS SELECT 1 AS id, $$x$$ AS body;' })
  const folder = t.testdir()
  const schema = tableSchema(
    { name: 'Note', sql_source: 'v_note', fields: { id: 'ID!', body: 'String' } },
    {
      queries: [
        { name: 'notes', type: '[Note!]!', description: 'All \u001b[31mnotes.\u202e\nWith more.' },
        { name: 'guarded', type: '[Note!]!', sql_source: 'v_note', requires_role: 'keeper' },
      ],
    },
  )
  writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema))
  writeProject(
    folder,
    `[database]\nurl = "${url}"\n[security]\njwt_secret = "a secret of thirty-two bytes at least"\n[svc.mcp]\nenabled = true\ntransport = "both"\n`,
  )
  t.equal((await runCommand(folder, 'compile')).code, 0)
  const { code, out } = await runCommand(folder, 'mcp', 'check')
  t.equal(code, 0)
  t.match(out, /^notes +reads +\d+ +where\?, orderBy\?, limit\?, offset\?, fields\?$/m)
  t.match(out, /All \\u\{1b\}\[31mnotes\.\\u\{202e\}$/m, 'a terminal obeys no description')
  t.match(out, /^1 tools, about \d+ tokens \(estimated: 4 characters each\)\. 1 resources, 1 prompts\.$/m)
  const keeper = await runCommand(folder, 'mcp', 'check', '--as', '{"roles":["keeper"]}', '--json')
  const listing = JSON.parse(keeper.out)
  t.same(
    listing.tools.map(({ name }: { name: string }) => name),
    ['notes', 'guarded'],
  )
  t.equal(listing.tokens, Math.ceil(JSON.stringify(listing.tools).length / 4))
  const large = await runCommand(folder, 'mcp', 'check', '--max-tokens', '10')
  t.equal(large.code, 1)
  t.match(large.err, /more than --max-tokens 10/)
  for (const args of [['chek'], ['check', '--max-tokens', 'x'], ['check', '--as', '{']]) {
    t.not((await runCommand(folder, 'mcp', ...args)).code, 0, args.join(' '))
  }
})
