import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { definePlugin, KERNEL_API } from '../../../core/index.ts'
import type { McpOptions } from '../../../plugins/mcp/options.ts'
import queryLimits from '../../../plugins/query-limits/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { entry } from '../../helpers/kernel.ts'
import { writeProject } from '../../helpers/open-project.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { requireService } from '../../helpers/services.ts'
import { as } from '../../helpers/test-credential.ts'
import { ask, call, errorOf, openWorld, SCHEMA } from './world.ts'

const tool = (more: object) => ({ name: 't', operation: 'books', arguments: {}, hide: [], ...more })
const offered = async (app: Awaited<ReturnType<typeof openWorld>>, headers = {}) =>
  (await ask(app, 'tools/list', {}, headers)).result.tools as { name: string; inputSchema: { properties: object } }[]

t.test('which tools there are', async (t) => {
  if (!(await requireService(t, 'postgres'))) return

  await t.test('include and exclude hold for the list and for calls', async (t) => {
    const app = await openWorld(t, { mcp: { include: ['books', 'own_books', 'pagedBooks'], exclude: ['paged_books'] } })
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
    const app = await openWorld(t, { mcp: { tools: curated, include: ['authors'] } })
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

  await t.test('fixed fields are what the output schema says', async (t) => {
    const app = await openWorld(t, { mcp: { tools: [tool({ fields: ['id', 'author.books.title'] })] } })
    const [{ outputSchema }] = (await ask(app, 'tools/list')).result.tools
    const text = JSON.stringify(outputSchema)
    t.match(text, /"author".*"books".*"title"/)
    t.notMatch(text, /price|mood|secret/)
  })

  await t.test('what is wrong with its arguments is told to who may call a tool, and to nobody else', async (t) => {
    const app = await openWorld(t)
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

  await t.test('what cannot be is said when the schema is loaded', async (t) => {
    const cases: [Partial<McpOptions>, RegExp][] = [
      [{ include: ['bookz'] }, /include: there is no query or mutation "bookz"\. Did you mean "books"\?/],
      [{ exclude: ['x'] }, /exclude: there is no query or mutation "x"/],
      [{ tools: [tool({ operation: 'bocks' })] }, /tools "t": there is no query or mutation "bocks"/],
      [{ tools: [tool({}), tool({})] }, /two are named "t"/],
      [{ tools: [tool({ arguments: { wher: {} } })] }, /has no argument "wher"\. Did you mean "where"\?/],
      [{ tools: [tool({ arguments: { limit: 'x' } })] }, /the value of "limit" is none/],
      [{ tools: [tool({ operation: 'book', hide: ['id'] })] }, /"id" is hidden, and every call needs it/],
      [{ tools: [tool({ fields: ['titel'] })] }, /Did you mean "title"\?/],
    ]
    for (const [mcp, message] of cases) await t.rejects(openWorld(t, { mcp }), { message }, String(message))
  })

  await t.test('limits, metrics and names are those of every call', async (t) => {
    let counted: readonly { name: string; read: () => unknown }[] = []
    const counter = definePlugin(
      { name: 'counter', version: '1.0.0', kernelApi: KERNEL_API, description: 'Reads metrics.' },
      (scope) => {
        scope.onReady(() => {
          counted = scope.metrics()
        })
      },
    )
    const app = await openWorld(t, { plugins: [entry(queryLimits, { max_query_depth: 2 }), entry(counter)] })
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
    const app = await openWorld(t, { mcp: { list_page_size: 3 } })
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
      { name: 'book', arguments: [{ name: 'id', required: true }] },
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
    t.match(await read('svc://type/Author'), { name: 'Author', fields: [{ name: 'id', type: 'ID!' }] })
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

t.test('svc mcp check', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: 'CREATE VIEW v_note AS SELECT 1 AS id, $$x$$ AS body;' })
  const folder = t.testdir()
  const type = {
    name: 'Note',
    sql_source: 'v_note',
    fields: [
      { name: 'id', type: 'ID!' },
      { name: 'body', type: 'String' },
    ],
  }
  const queries = [
    { name: 'notes', type: '[Note!]!', description: 'All notes.\nWith more.' },
    { name: 'guarded', type: '[Note!]!', sql_source: 'v_note', requires_role: 'keeper' },
  ]
  writeFileSync(join(folder, 'schema.json'), JSON.stringify({ version: '1', types: [type], queries }))
  writeProject(
    folder,
    `[database]\nurl = "${url}"\n[security]\njwt_secret = "a secret of thirty-two bytes at least"\n[svc.mcp]\nenabled = true\ntransport = "both"\n`,
  )
  t.equal((await runCommand(folder, 'compile')).code, 0)
  const { code, out } = await runCommand(folder, 'mcp', 'check')
  t.equal(code, 0)
  t.match(out, /^notes +reads +\d+ +where\?, orderBy\?, limit\?, offset\?, fields\?$/m)
  t.match(out, /All notes\.$/m)
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
