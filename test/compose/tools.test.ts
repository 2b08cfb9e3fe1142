import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import type { AuthoredSchema } from '../../core/doors/command.ts'
import {
  createOperationMaker,
  type FieldChoice,
  fieldChoice,
  mayCall,
  rootsOf,
  schemaOfAnswer,
  schemaOfArguments,
} from '../../core/doors/front.ts'
import { type MutationModel, type QueryModel, type Scope, SvcError } from '../../core/doors/plugin.ts'
import { createPostgresDatabase } from '../helpers/databases.ts'
import { entry, plugin } from '../helpers/kernel.ts'
import { openApp } from '../helpers/open-app.ts'
import { requireService } from '../helpers/services.ts'
import { as, testCredential } from '../helpers/test-credential.ts'

/**
 * The core of a server of tools (MCP) or of RPCs, from outside: what there is, with JSON schemas; what this caller may use; calls from
 * values, with chosen fields, that can be taken back. No GraphQL text is made.
 */

const SQL = `
CREATE TYPE mood AS ENUM ('calm', 'wild');
CREATE TABLE tb_shelf (id int PRIMARY KEY, label text NOT NULL);
CREATE TABLE tb_book (id int PRIMARY KEY, title text NOT NULL, price numeric(10, 2), mood mood, added timestamptz, pages bigint,
  tags text[] NOT NULL, data jsonb, fk_shelf int);
INSERT INTO tb_shelf VALUES (1, 'A'), (2, 'B');
INSERT INTO tb_book VALUES (1, 'One', 12.50, 'calm', '2026-01-31 12:00+00', 9007199254740993, '{x,y}', '{"a":1}', 1),
  (2, 'Two', NULL, NULL, NULL, NULL, '{}', NULL, 1), (3, 'Three', 3, 'wild', NULL, 5, '{z}', NULL, 2);
CREATE VIEW v_shelf AS SELECT id, id AS pk_shelf, label FROM tb_shelf;
CREATE VIEW v_book AS SELECT *, id AS pk_book FROM tb_book;
CREATE VIEW v_slow AS SELECT g AS id, pg_sleep(30)::text AS title FROM generate_series(1, 2) g;
CREATE FUNCTION fn_retitle(p_id int, p_input jsonb) RETURNS SETOF v_book LANGUAGE sql AS $$
  UPDATE tb_book SET title = p_input->>'title' WHERE id = p_id; SELECT * FROM v_book WHERE id = p_id $$;
`
const book = [
  { name: 'id', type: 'ID!' },
  { name: 'title', type: 'String!', description: 'What stands on it.' },
  { name: 'price', type: 'Decimal' },
  { name: 'mood', type: 'Mood' },
  { name: 'added', type: 'DateTime' },
  { name: 'pages', type: 'BigInt' },
  { name: 'tags', type: '[String!]!' },
  { name: 'data', type: 'JSON' },
  { name: 'shelf', type: 'Shelf' },
]
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    { name: 'Book', sql_source: 'v_book', relay: true, fields: book },
    {
      name: 'Shelf',
      sql_source: 'v_shelf',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'label', type: 'String!' },
        { name: 'books', type: '[Book!]!', relation: { from: 'id', to: 'fk_shelf' } } as never,
      ],
    },
    {
      name: 'Slow',
      sql_source: 'v_slow',
      fields: [
        { name: 'id', type: 'Int!' },
        { name: 'title', type: 'String' },
      ],
    },
  ],
  enums: [
    {
      name: 'Mood',
      values: [
        { name: 'CALM', value: 'calm' },
        { name: 'WILD', value: 'wild' },
      ] as never,
    },
  ],
  input_types: [
    {
      name: 'RetitleInput',
      fields: [
        { name: 'title', type: 'String!' },
        { name: 'note', type: 'String', default: 'none' },
      ],
    } as never,
  ],
  queries: [
    { name: 'books', type: '[Book!]!' },
    { name: 'counted', type: '[Book!]!', auto_params: { total_count: true } as never },
    { name: 'paged', type: '[Book!]!', relay: true },
    { name: 'book', type: 'Book', arguments: [{ name: 'id', type: 'ID!' }] },
    { name: 'shelves', type: '[Shelf!]!' },
    { name: 'own_books', type: '[Book!]!', authenticated: true, sql_source: 'v_book' },
    { name: 'slows', type: '[Slow!]!', sql_source: 'v_slow' },
  ],
  mutations: [
    {
      name: 'retitle',
      type: 'Book',
      sql_source: 'fn_retitle',
      operation: 'UPDATE',
      authenticated: true,
      arguments: [
        { name: 'id', type: 'Int!' },
        { name: 'input', type: 'RetitleInput!' },
      ],
    },
  ],
}

interface Tool {
  readonly name: string
  readonly input: object
  readonly output: object
}

interface Call {
  readonly tool: string
  readonly arguments?: Readonly<Record<string, unknown>>
  readonly fields?: readonly string[] | FieldChoice
  readonly count?: boolean
  readonly caller?: Parameters<typeof as>[0]
  readonly signal?: AbortSignal
}

let scope = null as Scope | null
const tools = plugin('tools', (own) => {
  scope = own
  const made = own.perGeneration((schema) => ({
    maker: createOperationMaker({ relatedLimit: 1, maxDepth: 3 }),
    offered: new Map<string, QueryModel | MutationModel>([...schema.queries, ...schema.mutations]),
  }))
  own.provide('tools' as never, made as never)
  Object.assign(api, {
    list: async (caller: Call['caller']): Promise<readonly Tool[]> => {
      const found: Tool[] = []
      await own.pipeline.enter({ transport: 'stdio', headers: as(caller ?? null) }, async (ctx) => {
        const { maker, offered } = made.of(ctx.generation)
        for (const [name, operation] of offered) {
          if (!(await mayCall(own.engine, ctx, operation))) continue
          const known = maker.argumentsOf(operation)
          const selection = maker.selectionOf(operation, { count: true })
          found.push({ name, input: schemaOfArguments(known), output: schemaOfAnswer(operation, selection) })
        }
        return { status: 200, headers: {}, body: null }
      })
      return found
    },
    async call({ tool, fields, caller = null, signal, ...values }: Call) {
      let answer: { value?: unknown; code?: string | undefined; message?: string; path?: unknown } = {}
      const reply = await own.pipeline.enter(
        {
          transport: 'stdio',
          headers: as(caller),
          ...(signal === undefined ? {} : { signal }),
          renderError(ctx, error) {
            const { code, message, details } = own.pipeline.toPublicError(error, ctx)
            return { status: 400, headers: {}, body: JSON.stringify({ code, message, path: details?.path }) }
          },
        },
        async (ctx) => {
          const { maker, offered } = made.of(ctx.generation)
          const operation = offered.get(tool)
          if (operation === undefined) throw new SvcError('BAD_USER_INPUT', `There is no tool "${tool}".`)
          const chosen = Array.isArray(fields) ? fieldChoice(fields) : (fields as FieldChoice | undefined)
          const asked = maker.make(operation, { ...values, fields: chosen })
          templates.add(asked.template)
          const result = await own.engine.run(ctx, asked)
          if (result.errors !== null) throw result.errors[0]
          return { status: 200, headers: {}, body: String(rootsOf(asked, result)[0]!.text) }
        },
      )
      const body = JSON.parse(String(reply.body))
      answer = reply.status === 200 ? { value: body } : body
      return answer
    },
  })
})
const templates = new Set<object>()
const api = {} as {
  list(caller?: Call['caller']): Promise<readonly Tool[]>
  call(call: Call): Promise<{ value?: never; code?: string; message?: string; path?: unknown }>
}

t.test('a server of tools', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const app = await openApp(t, { kind: 'postgres', url }, SCHEMA, { plugins: [testCredential(), entry(tools)] })
  t.ok(scope)
  const ann = { subject: 'ann' }
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false })
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  const listed = new Map((await api.list(ann)).map((tool) => [tool.name, tool]))

  await t.test('only what the caller may use is listed', async (t) => {
    t.strictSame(
      (await api.list()).map(({ name }) => name),
      ['books', 'counted', 'paged', 'book', 'shelves', 'slows'],
    )
    t.strictSame([...listed.keys()], ['books', 'counted', 'paged', 'book', 'shelves', 'ownBooks', 'slows', 'retitle'])
    t.match(await api.call({ tool: 'ownBooks' }), { code: 'UNAUTHENTICATED' }, 'and a call is asked again')
  })

  await t.test('values go in, the answer fits its schema', async (t) => {
    const calls: readonly Call[] = [
      { tool: 'books', arguments: { where: { title: { _in: ['One', 'Two'] } }, orderBy: [{ id: 'ASC' }], limit: 2 } },
      { tool: 'counted', arguments: { where: { mood: { _eq: 'WILD' } } }, count: true },
      { tool: 'paged', arguments: { first: 1 }, count: true },
      { tool: 'book', arguments: { id: '1' } },
      { tool: 'book', arguments: { id: 404 } },
      { tool: 'shelves' },
      { tool: 'retitle', arguments: { id: 2, input: { title: 'Zwei' } } },
    ]
    const seen = []
    for (const call of calls) {
      const { input, output } = listed.get(call.tool)!
      const takes = ajv.compile(input)
      t.ok(takes(call.arguments ?? {}), `${call.tool}: ${JSON.stringify(takes.errors)}`)
      const answer = await api.call({ ...call, caller: ann })
      const fits = ajv.compile(output)
      t.ok(fits(answer.value), `${call.tool}: ${JSON.stringify(fits.errors)} of ${JSON.stringify(answer)}`)
      seen.push(answer.value)
    }
    const one = { id: '1', title: 'One', price: '12.50', mood: 'CALM', added: '2026-01-31T12:00:00+00:00' }
    const row = { ...one, pages: '9007199254740993', tags: ['x', 'y'], data: { a: 1 } }
    t.strictSame(seen[3], row)
    t.equal(seen[4], null)
    t.match(seen[0], [one, { title: 'Two' }])
    t.match(seen[1], { totalCount: 1, items: [{ id: /^3$/ }] })
    t.match(seen[2], { totalCount: 3, pageInfo: { hasNextPage: true }, edges: [{ cursor: String, node: {} }] })
    t.match(seen[6], { id: /^2$/, title: 'Zwei' })
  })

  await t.test('fields are chosen, by a tree or by names; related lists are bounded', async (t) => {
    const { value } = await api.call({ tool: 'shelves', fields: ['label', 'books.title', 'books.shelf.label'] })
    t.strictSame(value, [
      { label: 'A', books: [{ title: 'One', shelf: { label: 'A' } }] },
      { label: 'B', books: [{ title: 'Three', shelf: { label: 'B' } }] },
    ])
    const fields = { title: true, shelf: true, __typename: true } as const
    const chosen = await api.call({ tool: 'book', arguments: { id: '3' }, fields })
    t.strictSame(chosen.value, { title: 'Three', shelf: { id: '2', label: 'B' }, __typename: 'Book' })
    t.strictSame(
      (await api.call({ tool: 'paged', arguments: { first: 1 }, fields: ['id'] })).value,
      (await api.call({ tool: 'paged', arguments: { first: 1 }, fields: { id: true } })).value,
    )
  })

  await t.test('one form has one template', async (t) => {
    templates.clear()
    for (const id of ['1', '2', 'x']) await api.call({ tool: 'book', arguments: { id }, fields: ['title'] })
    await api.call({ tool: 'books', arguments: { limit: 1, offset: 1 } })
    await api.call({ tool: 'books', arguments: { offset: 0, limit: 2 } })
    t.equal(templates.size, 2)
  })

  await t.test('bad input is refused with its place', async (t) => {
    const cases: readonly (readonly [Call, RegExp, unknown])[] = [
      [{ tool: 'book' }, /"book" needs the argument "id" \(ID!\)/, ['id']],
      [{ tool: 'book', arguments: { id: null } }, /not to be null/, ['id']],
      [{ tool: 'book', arguments: { id: '1', ids: 2 } }, /no argument "ids". Did you mean "id"\?/, ['ids']],
      [{ tool: 'books', arguments: { limit: 'two' } }, /Argument "limit" got invalid value "two"/, ['limit']],
      [{ tool: 'books', arguments: { limit: -1 } }, /limit/, undefined],
      [{ tool: 'books', arguments: { where: { title: { _is: 1 } } } }, /"_is" is not defined/, ['where', 'title']],
      [{ tool: 'books', fields: ['titel'] }, /Book has no field "titel". Did you mean "title"\?/, ['fields', 'titel']],
      [{ tool: 'books', fields: ['title.x'] }, /String has no fields to choose from/, ['fields', 'title']],
      [{ tool: 'books', fields: [] }, /Nothing is chosen of Book/, ['fields']],
      [{ tool: 'books', fields: ['shelf..label'] }, /no name of a field/, ['fields']],
      [{ tool: 'books', fields: { title: 1 } as never }, /chosen by true/, ['fields', 'title']],
      [{ tool: 'books', fields: ['__proto__'] }, /no field "__proto__"/, ['fields', '__proto__']],
      [
        { tool: 'books', fields: ['shelf.books.shelf.books.title'] },
        /deeper than 3 levels/,
        ['fields', 'shelf', 'books', 'shelf'],
      ],
    ]
    for (const [call, message, path] of cases) {
      const answer = await api.call(call)
      t.match(answer.message, message, JSON.stringify(call))
      if (path !== undefined) t.match(answer, { code: 'BAD_USER_INPUT', path }, JSON.stringify(answer))
    }
  })

  await t.test('a call that is taken back stops its statement', async (t) => {
    const stop = new AbortController()
    const called = api.call({ tool: 'slows', signal: stop.signal })
    while (app.database.pool.active === 0) await new Promise((resolve) => setImmediate(resolve))
    stop.abort()
    t.match(await called, { code: 'TIMEOUT' })
  })
})
