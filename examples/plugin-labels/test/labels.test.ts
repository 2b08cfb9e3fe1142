import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import type { SchemaModel } from 'svc'
import type { AuthoredSchema, AuthorFunction } from 'svc/command'
import graphql from 'svc/graphql'
import { testCompile, testPlugin } from 'svc/testing'
import t from 'tap'
import compile from '../compile.ts'
import labels from '../index.ts'
import type {} from '../labels.ts'

const authored = (label: string): AuthoredSchema => ({
  version: '1',
  label_language: 'en',
  types: [
    {
      name: 'Account',
      label,
      sql_source: 'v_account',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'full_name', type: 'String', label: 'Name' },
      ],
    },
  ],
  queries: [{ name: 'accounts', type: '[Account!]!' }],
})

const functions: readonly AuthorFunction[] = []

function schemaOf(label: string, more = functions): SchemaModel {
  const { schema, faults } = testCompile(compile, authored(label), {
    plugin: 'labels',
    options: { strict: false },
    functions: more,
  })
  if (schema === null) throw new Error(JSON.stringify(faults))
  return schema
}

t.test('compile: keys, a block, what the schema needs', async (t) => {
  const { compiled, warnings } = testCompile(compile, authored('Customer'), {
    plugin: 'labels',
    options: { strict: false },
  })
  t.match(compiled, {
    requires: ['labels'],
    plugins: {
      labels: { block: { language: 'en', types: { Account: { label: 'Customer', fields: { full_name: 'Name' } } } } },
    },
  })
  t.same(warnings, [])
})

t.test('compile: its checks say what to do', async (t) => {
  const base = authored('Customer')
  const more = { ...base.types![0]!, name: 'Client' }
  const two = { ...base, types: [...base.types!, more] }
  const twins = testCompile(compile, two, { plugin: 'labels', options: { strict: false } })
  t.equal(twins.compiled, null)
  t.match(twins.faults, [{ id: 'labels:twin', message: /"Account" and "Client" have the label "Customer"/ }])
  const { label: _, ...bare } = more
  const missing = { ...base, types: [...base.types!, bare] }
  const lax = testCompile(compile, missing, { plugin: 'labels', options: { strict: false } })
  t.match(lax, { faults: [], warnings: [{ id: 'labels:missing', message: /Type "Client" has no label/ }] })
  const strict = testCompile(compile, missing, { plugin: 'labels', options: { strict: true } })
  t.match(strict.faults, [{ id: 'labels:missing' }])
  const typo = { ...base, types: [{ ...more, ...{ labl: 'x' } }] }
  t.match(testCompile(compile, typo).faults, [{ id: 'shape', message: /unknown key "labl"\. Did you mean "label"\?/ }])
})

t.test('GraphQL, routes and the error code', async (t) => {
  const shout = {
    kind: 'labeller',
    name: 'shout',
    module: './x',
    export: 'shout',
    value: (text: string) => text.toUpperCase(),
  }
  const tested = await testPlugin(labels, {
    dependencies: [graphql],
    schema: schemaOf('Customer', [shout]),
    loadSchema: async (path) => schemaOf(path ?? 'Customer'),
  })
  const ask = async () => {
    const query = '{ labels(type: "Account") { text fields { name text } } }'
    return (await tested.inject({ url: '/graphql', body: { query } })).json()
  }
  t.same(await ask(), { data: { labels: [{ text: 'CUSTOMER', fields: [{ name: 'full_name', text: 'NAME' }] }] } })
  t.match((await tested.inject({ url: '/labels/Account' })).json(), { type: 'Account', text: 'CUSTOMER' })
  const unknown = await tested.inject({ url: '/labels/Nothing' })
  t.match([unknown.status, unknown.json()], [404, { error: { code: 'LABELS_UNKNOWN' } }])
  await tested.kernel.process.reload({ path: 'Client' })
  t.match(await ask(), { data: { labels: [{ text: 'Client' }] } })
  await tested.close()
})

t.test('a query per line, over a listener of its own', async (t) => {
  const tested = await testPlugin(labels, { dependencies: [graphql], schema: schemaOf('Customer') })
  const opened = tested.signals.find((signal) => signal.type === 'labels:listening')
  const socket = connect((opened as { readonly port: number }).port, '127.0.0.1')
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]()
  socket.write('{ labels { text } }\n')
  t.same(JSON.parse((await answers.next()).value), { data: { labels: [{ text: 'Customer' }] } })
  socket.write('{ label }\n')
  t.match(JSON.parse((await answers.next()).value), { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] })
  const gone = once(socket, 'close')
  await tested.close()
  await gone
})

t.test('a port that is taken fails the boot', async (t) => {
  const first = await testPlugin(labels, { dependencies: [graphql], schema: schemaOf('Customer') })
  const opened = first.signals.find((signal) => signal.type === 'labels:listening') as
    | { readonly port: number }
    | undefined
  const second = testPlugin(labels, {
    dependencies: [graphql],
    schema: schemaOf('Customer'),
    options: { port: opened!.port },
  })
  await t.rejects(second, { code: 'SVC_BOOT_FAILED', message: /"labels" failed to get ready: .*EADDRINUSE/ })
  await first.close()
})

t.test('options are checked', async (t) => {
  const wrong = testPlugin(labels, { dependencies: [graphql], options: { prot: 1 } })
  await t.rejects(wrong, { message: /unknown option `prot`\. Did you mean "port"\?/ })
})
