import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import t from 'tap'
import { POSTGRES } from '../../../core/dialects/postgres/dialect.ts'
import { completionOf } from '../../../core/engine/execute/read/completion.ts'
import { prepareRead } from '../../../core/engine/execute/read/prepare-read.ts'
import { createDocumentCache, type DocumentCache } from '../../../plugins/graphql/document/document-cache.ts'
import { createSchemaView } from '../../../plugins/graphql/schema/graphql-schema.ts'
import { collectGarbage } from '../../helpers/collect-garbage.ts'
import { linkShop } from './shop.ts'

// As bin/svc.js does.
setFlagsFromString('--no-allocation-site-pretenuring')

const model = linkShop()
const view = createSchemaView(model, false)
const settings = { dialect: POSTGRES, maxRows: 100 } as const

function createCache(maxBytes: number): DocumentCache {
  return createDocumentCache(() => view, { maxTokens: 10_000, introspection: true, maxBytes, maxFailedBytes: maxBytes })
}

/** All that a request does with its document. */
function plan(cache: DocumentCache, text: string, variables: Readonly<Record<string, unknown>> = {}): void {
  const operation = cache.get(text).operation(null).toOperation(variables)
  prepareRead(operation, model, settings)
  completionOf(operation.template)
}

/** A test's own text is held by the test; that of a request is not. */
const fresh = (text: string): string => Buffer.from(text).toString()

const KINDS: Readonly<Record<string, (i: number) => string>> = {
  small: (i) => `{ a${i}: users { id } }`,
  named: (i) => `query Q${i} { users { id name age boss { id name } } }`,
  large: (i) =>
    `{ ${Array.from({ length: 10 }, (_, k) => `a${i}x${k}: users { id name age boss { id name } }`).join(' ')} }`,
}

for (const [kind, textOf] of Object.entries(KINDS)) {
  t.test(`a ${kind} document with its plan weighs what it holds`, (t) => {
    const cache = createCache(2 ** 30)
    for (let i = 0; i < 200; i++) plan(cache, fresh(textOf(i)))
    collectGarbage()
    const held = process.memoryUsage().heapUsed
    const weighed = cache.size.bytes
    for (let i = 200; i < 600; i++) plan(cache, fresh(textOf(i)))
    collectGarbage()
    const ratio = (cache.size.bytes - weighed) / (process.memoryUsage().heapUsed - held)
    t.equal(cache.size.documents, 600)
    t.ok(ratio > 0.75 && ratio < 1.5, `weighed ${ratio.toFixed(2)} times what it holds`)
    t.end()
  })
}

t.test('the weight of a document that has not run yet', (t) => {
  const cache = createCache(2 ** 30)
  const textOf = KINDS.large!
  for (let i = 0; i < 100; i++) cache.get(fresh(textOf(i)))
  collectGarbage()
  const held = process.memoryUsage().heapUsed
  const weighed = cache.size.bytes
  for (let i = 100; i < 500; i++) cache.get(fresh(textOf(i)))
  collectGarbage()
  const ratio = (cache.size.bytes - weighed) / (process.memoryUsage().heapUsed - held)
  t.ok(ratio > 0.6 && ratio < 1.6, `weighed ${ratio.toFixed(2)} times what it holds`)
  t.end()
})

t.test('plans of one document by the shape of its variables weigh what they hold', (t) => {
  const cache = createCache(2 ** 30)
  const text = 'query ($w: UserWhereInput) { users(where: $w) { id name age } }'
  const shape = (n: number) => ({ w: { _or: Array.from({ length: n }, () => ({ name: { _eq: 'x' } })) } })
  plan(cache, text, shape(0))
  collectGarbage()
  const held = process.memoryUsage().heapUsed
  const weighed = cache.size.bytes
  for (let n = 1; n < 64; n++) plan(cache, text, shape(n))
  const full = cache.size.bytes
  collectGarbage()
  const ratio = (full - weighed) / (process.memoryUsage().heapUsed - held)
  t.ok(ratio > 0.5 && ratio < 2, `weighed ${ratio.toFixed(2)} times what they hold`)
  for (let n = 0; n < 64; n++) plan(cache, text, shape(n))
  t.equal(cache.size.bytes, full, 'a plan that is there weighs nothing more')
  const round = (): number => {
    for (let n = 0; n < 128; n++) plan(cache, text, shape(n))
    return cache.size.bytes
  }
  t.equal(round(), round(), 'one that is dropped weighs nothing any more')
  t.end()
})

t.test('documents that come once neither push others out nor stay in memory', (t) => {
  const cache = createCache(1_000_000)
  const kept = '{ users { id name } }'
  plan(cache, kept)
  const document = cache.get(kept)
  const stream = (from: number, to: number): void => {
    for (let i = from; i < to; i++) plan(cache, fresh(`{ a${i}: users { id name boss { id name } } }`))
  }
  stream(0, 3000)
  t.equal(cache.get(kept), document, 'it came before all of them and is still there')
  const { bytes } = cache.size
  t.ok(bytes <= 1_000_000 / 1.6 && bytes > 800_000 / 1.6, 'the cache is used, and leaves the collector its room')
  const old = (): number => {
    const spaces = getHeapSpaceStatistics().filter(({ space_name }) => !space_name.startsWith('new'))
    return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0)
  }
  collectGarbage()
  const before = old()
  stream(3000, 6000)
  const left = (old() - before) / 3000
  // What lies among the old objects is freed by a full collection only: kilobytes of each document made the process grow
  // to several times the bounds before there was one.
  t.ok(left < 2500, `${Math.round(left)} bytes of each lie among the old objects`)
  t.end()
})

t.test('a document that comes again is kept, whatever came meanwhile', (t) => {
  const cache = createCache(200_000)
  for (let i = 0; i < 500; i++) plan(cache, `{ a${i}: users { id } }`)
  const text = '{ again: users { id } }'
  const first = cache.get(text)
  for (let i = 500; i < 1000; i++) plan(cache, `{ a${i}: users { id } }`)
  const second = cache.get(text)
  t.not(second, first)
  t.equal(cache.get(text), second)
  t.ok(cache.size.bytes <= 200_000)
  t.end()
})

t.test('failures weigh what they hold', (t) => {
  const cache = createCache(2 ** 30)
  const fail = (i: number): boolean => {
    try {
      cache.get(fresh(`{ nope${i} { id } other${i} }`))
      return false
    } catch {
      return true
    }
  }
  for (let i = 0; i < 500; i++) fail(i)
  collectGarbage()
  const held = process.memoryUsage().heapUsed
  const weighed = cache.size.failedBytes
  for (let i = 500; i < 3500; i++) if (!fail(i)) t.fail('did not fail')
  collectGarbage()
  const ratio = (cache.size.failedBytes - weighed) / (process.memoryUsage().heapUsed - held)
  t.equal(cache.size.failed, 3500)
  t.ok(ratio > 0.7 && ratio < 2, `weighed ${ratio.toFixed(2)} times what they hold`)
  t.end()
})
