import t from 'tap'
import { createPglite } from '../../helpers/databases.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { decodeTrace, type TracedNode } from './decode-trace.ts'
import { openSubgraph } from './products.ts'

/** Federated traces, as Apollo's own package reads them. */
const SQL = `
CREATE TABLE tb_note (id int PRIMARY KEY, body text NOT NULL, rank int NOT NULL);
INSERT INTO tb_note VALUES (1, 'one', 0), (2, 'two', 2);
CREATE VIEW v_note AS SELECT *, pg_sleep(0.02) IS NOT NULL AS slept FROM tb_note;
CREATE FUNCTION fn_fail() RETURNS SETOF tb_note LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'SELECT * FROM tb_gone'; END $$;
`
const SCHEMA = tableSchema(
  {
    name: 'Note',
    key_fields: ['id'],
    list: 'notes',
    fields: {
      id: 'ID!',
      body: 'String!',
      slept: 'Boolean',
      secret: { type: 'String', column: 'body', requires_scope: 'audit' },
    },
  },
  {
    queries: [{ name: 'note', type: 'Note', arguments: [{ name: 'id', type: 'ID!' }] }],
    mutations: [{ name: 'fail', type: 'Note', operation: 'CUSTOM', sql_source: 'fn_fail' }],
  },
)
const HEADER = { 'apollo-federation-include-trace': 'ftv1' }
const database = { kind: 'pglite', url: await createPglite(t, { sql: SQL }) } as const
const app = await openSubgraph(t, database, SCHEMA, { inline_traces: true })

interface Answer {
  readonly data?: Readonly<Record<string, unknown>>
  readonly errors?: readonly { readonly message: string }[]
  readonly extensions?: { readonly ftv1: string }
}

async function ask(query: string, variables: object = {}, headers: Readonly<Record<string, string>> = HEADER) {
  const body = { query, variables }
  const { status, text } = await app.inject({ method: 'POST', url: '/graphql', headers, body })
  const answer = JSON.parse(text) as Answer
  return { status, text, ...answer, trace: () => decodeTrace(answer.extensions?.ftv1 ?? '') }
}

t.test('roots have the times of the statement that answered them', async (t) => {
  const before = Date.now()
  const { data, trace } = await ask('{ notes { slept } one: note(id: 1) { id } __typename }')
  t.match(data, { notes: [{ slept: true }, { slept: true }], one: { id: /^1$/ } })
  const { startTime, endTime, durationNs, fieldExecutionWeight, root } = trace()
  const ms = (one: typeof startTime) => one.seconds * 1000 + one.nanos / 1e6
  t.ok(ms(startTime) >= before - 1 && ms(endTime) <= Date.now() + 1, 'by the clock on the wall')
  t.ok(durationNs >= 40e6, `the rows sleep for 40 ms: ${durationNs}`)
  t.equal(fieldExecutionWeight, 1)
  const [notes, one, ...more] = root.child
  t.strictSame(more, [], 'of __typename there is nothing to tell')
  const times = ({ startTime: from = 0, endTime: to = 0 }: TracedNode) => [from, to] as const
  t.match(notes, { responseName: 'notes', type: '[Note!]!', parentType: 'Query', error: [], child: [] })
  t.match(one, { responseName: 'one', originalFieldName: 'note', type: 'Note', parentType: 'Query' })
  t.strictSame(times(notes!), times(one!), 'one statement has answered both')
  const [from, to] = times(notes!)
  t.ok(0 < from && to - from >= 40e6 && to <= durationNs, `${from} to ${to} of ${durationNs}`)
})

t.test('_entities: its statement, and errors where they belong', async (t) => {
  const representations = [
    { __typename: 'Note', id: 2 },
    { __typename: 'Nothing', id: 2 },
  ]
  const query = 'query ($all: [_Any!]!) { found: _entities(representations: $all) { ... on Note { slept secret } } }'
  const { data, errors, trace } = await ask(query, { all: representations })
  t.strictSame(data, { found: [{ slept: true, secret: null }, null] })
  const [found] = trace().root.child
  t.match(found, { responseName: 'found', originalFieldName: '_entities', type: '[_Entity]!', parentType: 'Query' })
  t.ok((found?.endTime ?? 0) - (found?.startTime ?? 0) >= 20e6, 'its row sleeps for 20 ms')
  const told = (node: TracedNode): string[] => [...node.error.map(({ json }) => json), ...node.child.flatMap(told)]
  t.strictSame(told(trace().root).sort(), errors?.map((error) => JSON.stringify(error)).sort())
  const [nothing, row] = found?.child ?? []
  t.match(nothing, { index: 1, child: [], error: [{ message: /"Nothing" is no entity here/ }] })
  t.match(row, { index: 0, error: [], child: [{ responseName: 'secret', error: [{ message: /scope audit/ }] }] })
})

t.test('requests that fail have one, and it tells no more than the answer', async (t) => {
  const invalid = await ask('{ nothing }')
  t.match(invalid.trace().root, { child: [], error: [{ message: invalid.errors?.[0]?.message }] })
  const failed = await ask('mutation { fail { id } }')
  const text = JSON.stringify(failed.trace())
  t.match(failed.trace().root.child, [{ responseName: 'fail', parentType: 'Mutation', error: [{}] }])
  t.notMatch(text, /tb_gone|SELECT/i)
})

t.test('a request that does not ask for a trace gets none', async (t) => {
  for (const headers of [{}, { 'apollo-federation-include-trace': 'ftv2' }]) {
    t.equal((await ask('{ note(id: 1) { id } }', {}, headers)).text, '{"data":{"note":{"id":"1"}}}')
  }
})
