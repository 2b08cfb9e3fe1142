import { readdirSync } from 'node:fs'
import t from 'tap'
import { requireService } from '../../helpers/services.ts'
import { ADMIN_TOKEN } from '../../plugins/admin/matrix.ts'
import { type MatrixEntrance, type MatrixRule, SECRET, type Who } from './cells.ts'
import { enteringPlugins, matrixParts } from './parts.ts'
import { withClaims } from './tokens.ts'
import { namesOf, openMatrix } from './world.ts'

/**
 * Every access rule with every way to send a request (docs/explain/access-matrix.md). A caller without the right gets nothing; a twin with
 * the right gets everything, which proves that the rule makes the difference. Every hook and route has a row or a column, or a reason why
 * it needs none.
 */
t.setTimeout(300_000)
// Rules spend most of their time waiting for events, so several run at a time.
t.jobs = 6

/** Stages whose hooks can reject a caller. */
const STAGES = [
  'onRequest',
  'authenticate',
  'authorize',
  'resolve',
  'jwt:verified',
  'graphql:document',
  'graphql:prepared',
]

/** A resource is found under the name of the first list of its type alone. */
const OF_RESOURCES = new Set(['REST one row', 'REST changes'])

if (await requireService(t, 'postgres')) {
  const parts = await matrixParts()
  const { rules, entrances, harmless, off } = parts
  const { app, noteOf, touch, observed } = await openMatrix(t, parts)
  for (const rule of rules) await rule.prepare?.(app)
  const ids = await Promise.all(rules.map((rule, index) => idOf(rule, index)))

  t.test('every guard has a row, and every entrance has a column', async (t) => {
    const { plugins } = app.kernel.describe()
    const hooking = plugins.filter(({ stages }) => stages.some((stage) => STAGES.includes(stage)))
    t.ok(hooking.length > 8)
    for (const { name, stages } of hooking) {
      const has = rules.some((rule) => rule.plugins.includes(name)) || harmless[name] !== undefined
      t.ok(
        has,
        `plugin "${name}" hooks ${stages}: it needs a rule in test/plugins/${name}/matrix.ts, or a word there why not`,
      )
    }
    for (const name of readdirSync(new URL('../../../plugins/', import.meta.url))) {
      const isOn = plugins.some((one) => one.name === name)
      t.equal(isOn, off[name] === undefined, `${name} is on, or test/plugins/${name}/matrix.ts says why it is off`)
    }
    const routes = app.kernel.routes.map(({ method, path, plugin }) => ({ route: `${method} ${path}`, plugin }))
    for (const { route, plugin } of routes) {
      const has = entrances.some((entrance) => entrance.routes?.includes(route))
      t.ok(has, `${route} is a way in: it needs an entrance in test/plugins/${plugin}/matrix.ts`)
    }
    for (const entrance of entrances) {
      for (const route of entrance.routes ?? []) {
        t.ok(
          routes.some((one) => one.route === route),
          `${entrance.name}: ${route} exists`,
        )
      }
    }
    for (const { path, plugin } of app.kernel.upgrades) {
      const has = entrances.some((entrance) => entrance.upgrades?.includes(path))
      t.ok(has, `the upgrades at ${path} are a way in: they need an entrance in test/plugins/${plugin}/matrix.ts`)
    }
    const table = app.kernel.provided('rest')?.table(app.kernel.generation)
    const kinds = new Set(table?.routes.map(({ kind }) => kind))
    t.ok(kinds.size > 4)
    for (const kind of kinds) {
      const has = entrances.some((entrance) => entrance.restKinds?.includes(kind))
      t.ok(has, `routes of the kind "${kind}" are a way in: they need an entrance in test/plugins/rest/matrix.ts`)
    }
    for (const plugin of enteringPlugins()) {
      const has = entrances.some((entrance) => entrance.enters === plugin)
      t.ok(
        has,
        `plugin "${plugin}" calls scope.pipeline.enter: it needs an entrance in test/plugins/${plugin}/matrix.ts`,
      )
    }
    const names = [...rules, ...entrances].map(({ name }) => name)
    t.equal(new Set(names).size, names.length, 'no two have one name')
  })

  for (const [index, rule] of rules.entries()) {
    t.test(rule.name, { buffered: true }, async (t) => {
      for (const [at, entrance] of entrances.entries()) {
        const kept = await ask(entrance, index, await rule.kept(), `127.1.${index}.${at}`, `kept ${at}`)
        const isHeld = entrance.author === undefined || rule.field === undefined
        t.equal(
          kept.text.includes(SECRET),
          !isHeld,
          `${entrance.name}: kept out (${kept.status} ${kept.text.slice(0, 200)})`,
        )
        // A rule about a field says nothing about writing another one.
        if (entrance.writes && rule.field === undefined && rule.far === undefined) {
          t.not(await noteOf(index), `kept ${at}`, `${entrance.name}: and nothing is written`)
        }
        const twin = await ask(entrance, index, await rule.let(), `127.2.${index}.${at}`, `let ${at}`)
        const reason = entrance.nothing ?? rule.shut?.[entrance.name]
        if (reason !== undefined) t.notOk(twin.text.includes(SECRET), `${entrance.name}: ${reason}`)
        else t.ok(twin.text.includes(SECRET), `${entrance.name}: let in (${twin.status} ${twin.text.slice(0, 300)})`)
        if (entrance.writes && reason === undefined) {
          t.equal(await noteOf(index), `let ${at}`, `${entrance.name}: and it is written`)
        }
      }
    })
  }

  for (const [index, rule] of rules.entries()) {
    if (rule.beside === undefined) continue
    t.test(`${rule.name}: by the other query`, { buffered: true }, async (t) => {
      const isOfQuery = rule.query !== undefined
      let count = 0
      for (const [at, entrance] of entrances.entries()) {
        // A way in that names no query has no other one.
        if (entrance.writes || entrance.nothing !== undefined || OF_RESOURCES.has(entrance.name)) continue
        if (!(await namesQuery(entrance, index, at))) continue
        count++
        const kept = await ask(entrance, index, await rule.kept(), `127.4.${index}.${at}`, `kept ${at}`, 'beside')
        t.equal(
          kept.text.includes(SECRET),
          isOfQuery,
          `${entrance.name}: ${isOfQuery ? 'shown' : 'kept out'} (${kept.status} ${kept.text.slice(0, 200)})`,
        )
        const twin = await ask(entrance, index, await rule.let(), `127.5.${index}.${at}`, `let ${at}`, 'beside')
        t.ok(twin.text.includes(SECRET), `${entrance.name}: let in (${twin.status} ${twin.text.slice(0, 300)})`)
      }
      t.ok(count > 8, `${count} ways in name a query`)
    })
  }

  const namedBy = new Map<MatrixEntrance, boolean>()

  /** Does the entrance show other rows for another name of the query? Found out once, with a name that no query has. */
  async function namesQuery(entrance: MatrixEntrance, index: number, at: number): Promise<boolean> {
    const known = namedBy.get(entrance)
    if (known !== undefined) return known
    const caller = await rules[index]!.let()
    const reply = await ask(entrance, index, caller, `127.6.${index}.${at}`, `none ${at}`, 'none')
    const isNamed = !reply.text.includes(SECRET)
    namedBy.set(entrance, isNamed)
    return isNamed
  }

  t.test('no JSON that any way in takes reaches a prototype', async (t) => {
    const polluted = [
      '{"__proto__":{"polluted":1}}',
      '{"constructor":{"prototype":{"polluted":1}}}',
      '{"note":{"__proto__":{"polluted":1}},"input":{"__proto__":{"polluted":1}}}',
      '{"query":"{ __typename }","variables":{"__proto__":{"polluted":1}},"extensions":{"__proto__":{"polluted":1}}}',
      '[{"__proto__":{"polluted":1}}]',
      '{"__proto__":null,"toString":1,"hasOwnProperty":1,"then":1}',
    ]
    const prototypes = () => [Object.prototype, Array.prototype, Function.prototype].map((one) => Reflect.ownKeys(one))
    const before = prototypes()
    const index = rules.findIndex(({ name }) => name === 'The default policy')
    const { query, key, single } = namesOf(index)
    const fixed = app.kernel.routes.filter(({ method }) => method !== 'GET')
    const asked = [
      ...fixed.map(({ method, path }) => ({ method, url: path as string })),
      ...['PATCH', 'PUT'].map((method) => ({ method, url: `/rest/v1/${query}/${key}` })),
      { method: 'PATCH', url: `/rest/v1/${query}?id=${key}` },
    ]
    t.ok(asked.length > 9, `${asked.length} routes take a body`)
    const { headers } = withClaims({ scope: '*' })
    for (const [at, { method, url }] of asked.entries()) {
      const token = url.startsWith('/api/v1/admin/') ? { authorization: `Bearer ${ADMIN_TOKEN}` } : headers
      for (const [one, body] of polluted.entries()) {
        const json = { ...token, 'content-type': 'application/json' }
        const told = await app.inject({ method, url, headers: json, body, address: `10.4.${at}.${one}` })
        t.ok(told.status < 500, `${method} ${url}: ${told.status} ${told.text.slice(0, 100)}`)
        t.notOk(told.text.includes('"polluted":1'), `${method} ${url}: nor does it come back`)
      }
    }
    for (const [one, text] of polluted.entries()) {
      const url = `/rest/v1/${query}?filter=${encodeURIComponent(text)}`
      t.ok((await app.inject({ url, headers, address: `10.5.1.${one}` })).status < 500, url)
      const search = new URLSearchParams({ query: `{ ${single}(id: "x") { id } }`, variables: text, extensions: text })
      t.ok((await app.inject({ url: `/graphql?${search}`, headers, address: `10.5.2.${one}` })).status < 500)
    }
    t.same(prototypes(), before)
    t.equal(({} as Record<string, unknown>).polluted, undefined)
  })

  /** Whom the rule lets in is told the id that \`node\` takes. */
  async function idOf(rule: MatrixRule, index: number): Promise<string> {
    const { headers } = await rule.let()
    const body = { query: `{ ${namesOf(index).query} { id } }` }
    const address = `127.3.${index}.1`
    const reply = await app.inject({ method: 'POST', url: '/graphql', headers, body, address })
    const { data } = reply.json<{ data?: Record<string, { id: string }[]> }>()
    const id = data?.[namesOf(index).query]?.[0]?.id
    if (id === undefined) throw new Error(`${rule.name}: nobody is let in: ${reply.status} ${reply.text}`)
    return id
  }

  /** @param own address of one cell, so that what one of them did keeps nobody out of another */
  function ask(
    entrance: MatrixEntrance,
    index: number,
    who: Who,
    own: string,
    mark: string,
    by: 'query' | 'beside' | 'none' = 'query',
  ) {
    const asked = rules[index]?.far === undefined ? 'secret' : 'far { secret }'
    const { headers, address = own, selection = asked } = who
    return entrance.ask(app, {
      ...namesOf(index),
      query: by === 'none' ? 'none' : namesOf(index)[by],
      id: ids[index]!,
      touch: () => touch(index),
      observed: (of) => observed(index, of),
      // Who is let in is waited for; who is not is given the time to be told what is not meant for it.
      patienceMs: mark.startsWith('let') ? 20_000 : by === 'none' ? 2_000 : 200,
      selection,
      headers,
      address,
      mark,
    })
  }
}
