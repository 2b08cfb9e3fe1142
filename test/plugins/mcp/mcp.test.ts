import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import t from 'tap'
import { requireService } from '../../helpers/services.ts'
import { as } from '../../helpers/test-credential.ts'
import { ask, call, errorOf, openWorld } from './world.ts'

t.test('tools over HTTP', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const app = await openWorld(t)
  const editor = as({ roles: ['editor'] })

  await t.test('the official client lists, calls and validates', async (t) => {
    const url = await app.listen()
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
    t.teardown(() => client.close())
    const { tools } = await client.listTools()
    t.strictSame(
      tools.map(({ name }) => name),
      ['books', 'book', 'countedBooks', 'pagedBooks', 'authors', 'slows', 'tenantBooks', 'fail'],
      'those that nobody may call are not listed',
    )
    t.match(tools[0], {
      title: 'Books',
      description: 'Books of the library.',
      annotations: { readOnlyHint: true, openWorldHint: false },
      inputSchema: { type: 'object', properties: { limit: { maximum: 100, default: 20 }, fields: {} } },
      outputSchema: { type: 'object', required: ['books'] },
    })
    t.match(tools.at(-1)?.annotations, { readOnlyHint: false, destructiveHint: true })
    // It refuses what does not fit the schema of the answer.
    const calls: [string, object][] = [
      ['books', {}],
      ['books', { limit: 3, where: { mood: { _eq: 'CALM' } }, orderBy: [{ id: 'DESC' }] }],
      ['books', { fields: ['title', 'author.books.title'], limit: 1 }],
      ['book', { id: '3' }],
      ['book', { id: '999' }],
      ['countedBooks', { count: true, limit: 2 }],
      ['pagedBooks', { first: 2, count: true }],
      ['authors', { fields: ['name', 'books'] }],
    ]
    for (const [name, args] of calls) {
      const answer = await client.callTool({ name, arguments: args as never })
      t.notOk(answer.isError, `${name} ${JSON.stringify(answer.content).slice(0, 300)}`)
      const [content] = answer.content as { text: string }[]
      t.strictSame(JSON.parse(content!.text), answer.structuredContent, 'text and structure are the same')
    }
    const one = await client.callTool({ name: 'book', arguments: { id: '3' } })
    t.strictSame(one.structuredContent, {
      book: {
        id: '3',
        title: 'Quote " back \\ line\nend é',
        price: '3.50',
        mood: null,
        added: '2026-01-31T12:00:00+00:00',
        data: { a: 1 },
        author: { id: '2', name: 'Bob' },
      },
    })
  })

  await t.test('lists come in pages', async (t) => {
    const ids: string[] = []
    let offset: number | undefined = 0
    for (let page = 0; offset !== undefined && page < 10; page++) {
      const args = { offset, limit: 90, fields: ['id'], orderBy: [{ id: 'ASC' }] }
      const { result } = await call(app, 'books', args)
      ids.push(...result.structuredContent.books.map(({ id }: { id: string }) => id))
      offset = result.structuredContent.nextOffset
    }
    t.equal(new Set(ids).size, 250)
    t.equal(ids.length, 250)
    const lengthOf = async (name: string, args: object) => {
      const { structuredContent } = (await call(app, name, args)).result
      return [
        structuredContent[name].items ?? structuredContent[name].edges ?? structuredContent[name],
        structuredContent,
      ]
    }
    const [some, first] = await lengthOf('books', {})
    t.strictSame([some.length, first.nextOffset], [20, 20])
    const [most, clamped] = await lengthOf('books', { limit: 1000 })
    t.strictSame([most.length, clamped.nextOffset], [100, 100])
    t.equal((await lengthOf('pagedBooks', {}))[0].length, 20)
    t.equal((await lengthOf('pagedBooks', { first: 500 }))[0].length, 100)
    t.equal((await lengthOf('pagedBooks', { last: 500 }))[0].length, 100)
    const [items, counted] = await lengthOf('countedBooks', { count: true, limit: 2 })
    t.strictSame([items.length, counted.countedBooks.totalCount, counted.nextOffset], [2, 250, 2])
    const [tail, end] = await lengthOf('countedBooks', { offset: 249 })
    t.strictSame([tail.length, end.nextOffset, end.countedBooks.totalCount], [1, undefined, undefined])
    const related = await call(app, 'authors', { fields: ['books.id'] })
    t.equal(related.result.structuredContent.authors[0].books.length, 20, 'related lists are bounded')
  })

  await t.test('only permitted tools are listed, and each call is authorized again', async (t) => {
    const names = async (headers: Record<string, string>) =>
      (await ask(app, 'tools/list', {}, headers)).result.tools.map(({ name }: { name: string }) => name)
    t.notOk((await names({})).includes('retitle'))
    t.notOk((await names(as({}))).includes('retitle'))
    t.ok((await names(as({}))).includes('ownBooks'))
    t.ok((await names(editor)).includes('retitle'))
    t.match(errorOf(await call(app, 'retitle', { id: 2, title: 'Two' })), { code: 'UNAUTHENTICATED' })
    t.match(errorOf(await call(app, 'retitle', { id: 2, title: 'Two' }, as({}))), { code: 'FORBIDDEN' })
    const { result } = await call(app, 'retitle', { id: 2, title: 'Two' }, editor)
    t.match(result.structuredContent, { retitle: { id: /^2$/, title: 'Two' } })
    t.same((await call(app, 'tenantBooks', {}, as({ subject: 'eve' }))).result.structuredContent, { tenantBooks: [] })
  })

  await t.test('a hidden field is omitted, and an error where it is requested', async (t) => {
    const plain = await call(app, 'authors')
    t.same(plain.result.structuredContent.authors[0], { id: '1', name: 'Ada' })
    const right = await call(app, 'authors', {}, as({ scopes: ['read:secret'] }))
    t.same(right.result.structuredContent.authors[0], { id: '1', name: 'Ada', secret: 'x' })
    const asked = async (name: string, args: object) => errorOf(await call(app, name, args, as({})))
    t.match(await asked('authors', { fields: ['name', 'secret'] }), { code: 'FORBIDDEN' })
    t.match(await asked('books', { where: { author: { secret: { _eq: 'x' } } } }), { code: 'FORBIDDEN' })
    const written = await call(app, 'retitle', { id: 4, title: 'Four', fields: ['author.secret'] }, editor)
    t.match(errorOf(written), { code: 'FORBIDDEN' })
    t.match(
      (await call(app, 'book', { id: '4' })).result.structuredContent,
      { book: { title: 'Book 4' } },
      'and nothing is written',
    )
  })

  await t.test('errors are answers that a model can read', async (t) => {
    const cases: readonly [string, object, RegExp, string][] = [
      ['book', {}, /needs the argument "id"/, 'BAD_USER_INPUT'],
      ['book', { id: '1', ids: 2 }, /Did you mean "id"\?/, 'BAD_USER_INPUT'],
      ['books', { limit: 'two' }, /"limit" got invalid value "two"/, 'BAD_USER_INPUT'],
      ['books', { limit: -1 }, /limit/, 'BAD_USER_INPUT'],
      ['books', { fields: ['titel'] }, /Did you mean "title"\?/, 'BAD_USER_INPUT'],
      ['books', { fields: 'title' }, /"fields" is a list of names/, 'BAD_USER_INPUT'],
      ['books', { fields: [] }, /Nothing is chosen/, 'BAD_USER_INPUT'],
      ['books', { fields: ['author.books.author.books.id'] }, /deeper than 3 levels/, 'BAD_USER_INPUT'],
      ['books', { where: { title: { _eq: "x'; DROP TABLE tb_book; --", _is: 1 } } }, /"_is"/, 'BAD_USER_INPUT'],
      ['countedBooks', { count: 'yes' }, /"count" is true or false/, 'BAD_USER_INPUT'],
      ['fail', {}, /the shop is closed/, 'SHOP_CLOSED'],
    ]
    for (const [name, args, message, code] of cases) {
      const answer = await call(app, name, args)
      t.match(errorOf(answer), { code, message }, `${name} ${JSON.stringify(args)}: ${answer.text}`)
      t.equal(answer.status, 200)
      t.notOk('structuredContent' in answer.result, 'no structure that would have to fit the schema')
    }
    t.match(await call(app, 'nothing'), { error: { code: -32602 } })
    t.match(await ask(app, 'tools/call', { name: 5 }), { error: { code: -32602 } })
    t.match(await ask(app, 'tools/call', { name: 'books', arguments: [] }), { error: { code: -32602 } })
    t.match(await ask(app, 'tools/fly'), { error: { code: -32601 } })
  })
})
