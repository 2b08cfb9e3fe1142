import { type IncomingHttpHeaders, request } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { Reply } from '../../../core/doors/plugin.ts'
import { testPlugin } from '../../../core/testing/testing.ts'
import compression, { createChooser } from '../../../plugins/compression/index.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { plugin } from '../../helpers/kernel.ts'
import { openApp } from '../../helpers/open-app.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'
import { requireService } from '../../helpers/services.ts'
import { REST_SCHEMA, REST_SQL, restPlugin } from '../rest/world.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const LONG = JSON.stringify(Array.from({ length: 200 }, (_, i) => ({ id: i, name: `näme ${i}` })))
const HUGE = LONG.repeat(1500)
const served: Record<string, () => Reply> = {
  long: () => ({ status: 200, headers: { 'content-type': JSON_TYPE, etag: '"strong"', vary: 'Accept' }, body: LONG }),
  error: () => ({ status: 404, headers: { 'content-type': JSON_TYPE }, body: LONG }),
  short: () => ({ status: 200, headers: { 'content-type': JSON_TYPE }, body: 'x'.repeat(1023) }),
  enough: () => ({ status: 200, headers: { 'content-type': JSON_TYPE }, body: 'x'.repeat(1024) }),
  bytes: () => ({ status: 200, headers: { 'content-type': 'text/css' }, body: Buffer.from(LONG) }),
  image: () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: Buffer.from(LONG) }),
  encoded: () => ({ status: 200, headers: { 'content-type': JSON_TYPE, 'content-encoding': 'zstd' }, body: LONG }),
  lines: () => ({
    status: 200,
    headers: { 'content-type': 'application/x-ndjson' },
    body: Readable.from([LONG, LONG]),
  }),
  events: () => ({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: Readable.from([LONG]) }),
  known: () => ({ status: 304, headers: { etag: 'W/"x"', vary: 'Accept' }, body: null }),
  huge: () => ({ status: 200, headers: { 'content-type': JSON_TYPE }, body: HUGE }),
  any: () => ({ status: 200, headers: { 'content-type': JSON_TYPE, vary: '*' }, body: LONG }),
}
const routes = plugin('routes', (scope) => {
  for (const [name, reply] of Object.entries(served))
    for (const method of ['GET', 'POST'] as const) scope.route({ method, path: `/${name}`, handler: reply })
})

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Bytes as they came. */
async function open(t: Test, options: object = {}) {
  const tested = await openPlugin(t, compression, { options: { ...options }, dependencies: [routes] })
  const base = await tested.listen()
  return async (name: string, given: Readonly<Record<string, string>> = {}, method = 'GET') => {
    const { status, headers, bytes } = await new Promise<Answer>((resolve, reject) => {
      const asked = request(`${base}/${name}`, { method, headers: given }, (reply) => {
        buffer(reply).then((bytes) => resolve({ status: reply.statusCode, headers: reply.headers, bytes }), reject)
      })
      asked.on('error', reject).end()
    })
    const { 'content-encoding': encoding, 'content-length': length, vary, etag } = headers
    return { status, encoding, vary, etag, length, bytes }
  }
}

t.test('responses of 1 KiB and more are compressed with an accepted encoding', async (t) => {
  const get = await open(t)
  const br = await get('long', { 'accept-encoding': 'gzip, deflate, br' })
  t.match(br, { status: 200, encoding: /^br$/, vary: 'Accept, Accept-Encoding', etag: 'W/"strong"' })
  t.equal(brotliDecompressSync(br.bytes).toString(), LONG)
  t.equal(Number(br.length), br.bytes.length)
  t.ok(br.bytes.length < LONG.length / 4)
  const gz = await get('long', { 'accept-encoding': 'gzip' })
  t.equal(gunzipSync(gz.bytes).toString(), LONG)
  const plain = await get('long')
  t.match(plain, { encoding: undefined, vary: 'Accept, Accept-Encoding', etag: '"strong"' })
  t.equal(plain.bytes.toString(), LONG)
  t.match(await get('long', { 'accept-encoding': 'gzip' }, 'POST'), { encoding: 'gzip' })
  t.match(await get('long', {}, 'POST'), { encoding: undefined, vary: 'Accept' }, 'nobody keeps it')
  t.match(await get('error', { 'accept-encoding': 'br' }), { status: 404, encoding: /^br$/, vary: 'Accept-Encoding' })
  t.match(await get('short', { 'accept-encoding': 'br' }), { encoding: undefined, vary: undefined })
  t.match(await get('enough', { 'accept-encoding': 'br' }), { encoding: /^br$/ })
  t.equal(brotliDecompressSync((await get('bytes', { 'accept-encoding': 'br' })).bytes).toString(), LONG)
  for (const name of ['image', 'events'])
    t.match(await get(name, { 'accept-encoding': 'br' }), { encoding: undefined, vary: undefined }, name)
  t.match(await get('encoded', { 'accept-encoding': 'br' }), { encoding: 'zstd' })
  t.match(await get('known', { 'accept-encoding': 'br' }), { status: 304, vary: 'Accept, Accept-Encoding' })
  t.match(await get('any', { 'accept-encoding': 'br' }), { encoding: /^br$/, vary: /^\*$/ })
  const [whole, head] = [
    await get('long', { 'accept-encoding': 'br' }),
    await get('long', { 'accept-encoding': 'br' }, 'HEAD'),
  ]
  t.same([head.length, head.encoding, head.bytes.length], [whole.length, 'br', 0], 'HEAD says what GET would')
})

t.test('streams', async (t) => {
  const get = await open(t)
  for (const [encoding, read] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const reply = await get('lines', { 'accept-encoding': encoding })
    t.match(reply, { encoding, vary: 'Accept-Encoding' })
    t.equal(read(reply.bytes).toString(), LONG + LONG)
  }
  t.match(await get('lines'), { encoding: undefined, vary: 'Accept-Encoding' })
})

t.test('long answers leave threads to short ones', async (t) => {
  const get = await open(t)
  const begun = Array.from({ length: 8 }, () => get('huge', { 'accept-encoding': 'gzip' }))
  const all = Promise.all(begun)
  for (let i = 0; i < 3; i++) t.match(await get('long', { 'accept-encoding': 'gzip' }), { encoding: 'gzip' })
  const replies = await all
  const short = replies.filter(({ encoding }) => encoding === 'gzip')
  t.ok(short.length >= 2 && short.length < replies.length, `${short.length} of them were compressed`)
  for (const { encoding, bytes, vary } of replies) {
    t.equal((encoding === 'gzip' ? gunzipSync(bytes) : bytes).length, Buffer.byteLength(HUGE))
    t.equal(vary, 'Accept-Encoding')
  }
  t.match(await get('huge', { 'accept-encoding': 'gzip' }), { encoding: 'gzip' }, 'there is room again')
})

t.test('a page of another site, with cookies, learns nothing from a length', async (t) => {
  const get = await open(t)
  const from = async (headers: object) => (await get('long', { 'accept-encoding': 'br', ...headers })).encoding
  t.equal(await from({ 'sec-fetch-site': 'cross-site' }), 'br', 'without cookies it says nothing of anybody')
  for (const site of ['cross-site', 'same-site', 'x'])
    t.equal(await from({ cookie: 'a=b', 'sec-fetch-site': site }), undefined, site)
  t.equal(await from({ cookie: 'a=b' }), undefined, 'nobody knows')
  for (const site of ['same-origin', 'none']) t.equal(await from({ cookie: 'a=b', 'sec-fetch-site': site }), 'br', site)
})

t.test('options', async (t) => {
  const get = await open(t, { min_bytes: 1, encodings: ['gzip'] })
  t.match(await get('short', { 'accept-encoding': 'br, gzip;q=0.1' }), { encoding: 'gzip' })
  await t.rejects(testPlugin(compression, { options: { encodings: [] } }), { code: 'SVC_BOOT_FAILED' })
  await t.rejects(testPlugin(compression, { options: { encodings: ['zip'] } }), { code: 'SVC_BOOT_FAILED' })
})

t.test('Accept-Encoding', async (t) => {
  const choose = createChooser(['br', 'gzip'])
  for (const [header, chosen] of [
    ['', null],
    ['identity', null],
    ['deflate', null],
    ['*', 'br'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0,gzip;q=0', null],
    ['gzip;q=0.001', 'gzip'],
    ['identity, br;q=0.5', null],
    ['identity;q=0, br;q=0.5', 'br'],
    ['br;q=nope, gzip;q=0.1', 'gzip'],
    ['br;q=2', null],
    ['br ; q=1.0 , gzip', 'br'],
    ['*;q=0', null],
    [`${'x,'.repeat(10_000)}br`, 'br'],
  ] as const) {
    t.equal(choose(header), chosen, header.slice(0, 60))
    t.equal(choose(header), chosen, 'once more')
  }
  for (let i = 0; i < 1000; i++) choose(`gzip, x${i}`)
  t.equal(choose('gzip'), 'gzip')
})

t.test('GraphQL, REST and lines over a socket', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: REST_SQL })
  const plugins = [
    restPlugin(),
    { plugin: compression as never, options: { min_bytes: 200, encodings: ['br', 'gzip'] }, source: 'test' },
  ]
  const app = await openApp(t, { kind: 'postgres', url }, REST_SCHEMA, { plugins })
  const base = await app.listen()
  const [plain, short] = [{ 'accept-encoding': 'identity' }, { 'accept-encoding': 'gzip, br' }]
  const read = async (path: string, headers: Record<string, string>, body?: string) => {
    const init = body === undefined ? {} : { method: 'POST', body }
    const reply = await fetch(`${base}${path}`, {
      ...init,
      headers: { 'content-type': 'application/json', ...headers },
    })
    return {
      encoding: reply.headers.get('content-encoding'),
      etag: reply.headers.get('etag'),
      text: await reply.text(),
    }
  }
  const query = JSON.stringify({ query: '{ posts { id title body status } }' })
  for (const [path, headers, body] of [
    ['/rest/v1/posts?limit=25', {}, undefined],
    ['/rest/v1/posts', { accept: 'application/x-ndjson' }, undefined],
    ['/graphql', {}, query],
  ] as const) {
    const [one, other] = [
      await read(path, { ...headers, ...plain }, body),
      await read(path, { ...headers, ...short }, body),
    ]
    t.same([one.encoding, other.encoding], [null, 'br'], path)
    t.equal(other.text, one.text)
    t.equal(other.etag, one.etag, 'the tag is that of what is meant')
  }
  const { etag } = await read('/rest/v1/posts', short)
  const again = await fetch(`${base}/rest/v1/posts`, { headers: { ...short, 'if-none-match': String(etag) } })
  t.equal(again.status, 304)
})

t.test('where plain is wanted as much as an encoding, it is encoded; where it is wanted more, it is not', (t) => {
  const choose = createChooser(['br', 'gzip'])
  t.equal(choose('gzip;q=0.5, identity;q=0.5'), 'gzip')
  t.equal(choose('gzip;q=0.5, identity;q=0.6'), null)
  t.equal(choose('identity;q=0'), null)
  t.end()
})
