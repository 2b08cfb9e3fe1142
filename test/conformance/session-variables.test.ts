import t from 'tap'
import type { Config } from '../../core/contract/config.ts'
import type { Setting } from '../../core/contract/setting.ts'
import { eachDatabase } from '../helpers/databases.ts'
import { createExportPlugin } from '../helpers/export-plugin.ts'
import { openApp } from '../helpers/open-app.ts'
import { makeTenants, NOTE_ID, TENANTS, trusting } from './tenants.ts'

/** `[session_variables]` and `[database] role_claim`, under row level security, on both databases. */
t.setTimeout(180_000)

const tenants = makeTenants()
const { staff, boss, stranger } = tenants
const sessionVariables: Config['session_variables'] = {
  variables: [
    { name: 'app.tenant', source: 'jwt', claim: 'org.id', required: false },
    { name: 'app.tags', source: 'jwt', claim: 'tags', required: false },
    { name: 'app.from', source: 'header', header: 'X-From', required: false },
    { name: 'app.service', source: 'literal', value: 7, required: false },
  ],
}
const as = (tenant: string, role = staff, more: object = {}) => ({
  'x-claims': JSON.stringify({ role, org: { id: tenant }, ...more }),
})

await eachDatabase(
  t,
  async (t, database) => {
    tenants.drop(t, database)
    const app = await openApp(t, database, TENANTS, {
      plugins: [trusting, createExportPlugin()],
      database: { role_claim: 'role' },
      sessionVariables,
    })
    const ask = async (document: string, headers: Record<string, string>, variables?: object) => {
      const { data, errors } = await app.graphql(document, variables, headers)
      return errors === undefined ? data : { data, codes: errors.map(({ extensions }) => extensions.code) }
    }
    const titles = (rows: readonly { title: string }[]) => rows.map(({ title }) => title).sort()

    await t.test('every way to rows shows those of the tenant', async (t) => {
      for (const [own, other] of [
        ['acme', 'bolt'],
        ['bolt', 'acme'],
      ] as const) {
        const me = as(own)
        const [name, strange] = own === 'acme' ? ['Ann', 'Bob'] : ['Bob', 'Ann']
        const mine = [`${own} 1`, `${own} on ${strange}`]
        t.strictSame(titles((await ask('{ notes { title } }', me)).notes), mine, 'list, packed')
        const nested = await ask('{ notes(orderBy: { title: ASC }) { title author { name notes { title } } } }', me)
        t.strictSame(
          nested,
          {
            notes: [
              { title: mine[0], author: { name, notes: [{ title: mine[0] }] } },
              { title: mine[1], author: null },
            ],
          },
          'relations',
        )
        const single = 'query ($id: ID!) { note(id: $id) { title } }'
        t.strictSame(await ask(single, me, { id: NOTE_ID[own] }), { note: { title: mine[0] } }, 'single')
        t.strictSame(await ask(single, me, { id: NOTE_ID[other] }), { note: null }, 'single of the other')
        const page = await ask('{ notePages(first: 9) { totalCount edges { node { id title } } } }', me)
        t.equal(page.notePages.totalCount, 2, 'count of a connection')
        t.strictSame(titles(page.notePages.edges.map((edge: { node: never }) => edge.node)), mine, 'connection')
        t.strictSame(
          await ask('{ counted(limit: 1, orderBy: { title: ASC }) { totalCount items { title } } }', me),
          { counted: { totalCount: 2, items: [{ title: mine[0] }] } },
          'list with its count',
        )
        const across = `{ authors(where: { notes: { some: { title: { _eq: "${other} on ${name}" } } } }) { name } }`
        t.strictSame(await ask(across, me), { authors: [] }, 'filter across a relation')
        const within = `{ authors(where: { notes: { some: { title: { _eq: "${own} 1" } } } }) { name } }`
        t.strictSame(await ask(within, me), { authors: [{ name }] }, 'the same for who may see it')
        const global = page.notePages.edges[0].node.id
        const node = 'query ($id: ID!) { node(id: $id) { ... on Note { title } } }'
        t.match(await ask(node, me, { id: global }), { node: { title: page.notePages.edges[0].node.title } }, 'node')
        t.strictSame(await ask(node, as(other), { id: global }), { node: null }, 'node of the other')
      }
    })

    await t.test('roots that run alone, after one of them failed', async (t) => {
      const document =
        '{ bad: maybeNotes(where: { title: { _regex: "(" } }) { title } notes { title } session { who } }'
      for (const [own, other] of [
        ['acme', 'Bob'],
        ['bolt', 'Ann'],
      ] as const) {
        const { data, errors } = await app.graphql(document, undefined, as(own))
        t.equal(errors?.length, 1)
        t.match(data, { bad: null, session: { who: staff } })
        t.strictSame(titles(data.notes), [`${own} 1`, `${own} on ${other}`])
      }
    })

    await t.test('writes, and what is read again behind them', async (t) => {
      const add = 'mutation { addNote(author: 1, title: "new") { title author { name } } }'
      t.strictSame(await ask(add, as('acme')), { addNote: { title: 'new', author: { name: 'Ann' } } })
      t.strictSame(
        (await app.database.query({ name: null, text: `SELECT tenant FROM tb_note WHERE title = 'new'` }, [], null))
          .rows,
        [['acme']],
        'a default sees the variable',
      )
      const rename = `mutation ($id: ID!) { rename(id: $id, title: "acme 1") }`
      t.strictSame(await ask(rename, as('acme'), { id: NOTE_ID.acme }), { rename: true })
      t.strictSame(await ask(rename, as('bolt'), { id: NOTE_ID.acme }), { rename: false })
      const smuggle = `mutation ($id: ID!) { smuggle(id: $id) { title } }`
      t.strictSame(await ask(smuggle, as('acme'), { id: NOTE_ID.acme }), { smuggle: { title: 'acme 1' } })
      t.match(await ask(smuggle, as('bolt'), { id: NOTE_ID.acme }), { codes: ['NOT_FOUND'] }, 'nothing to read again')
      t.strictSame(await ask('mutation { a: who b: who }', as('bolt')), { a: `${staff}/bolt`, b: `${staff}/bolt` })
    })

    await t.test('by role', async (t) => {
      t.strictSame(await ask('{ wages { amount } }', as('acme', staff)), { wages: [] })
      t.strictSame(await ask('{ wages { amount } }', as('acme', boss)), { wages: [{ amount: 100 }, { amount: 200 }] })
    })

    await t.test('a stream of the driver', async (t) => {
      const statement = { name: null, text: 'SELECT title FROM v_note ORDER BY 1', readOnly: true }
      const settings: readonly Setting[] = [
        { name: 'app.tenant', value: 'acme' },
        { name: 'role', value: staff },
      ]
      const seen: (string | null)[] = []
      for await (const rows of app.database.stream(statement, [], { cancel: null, batchSize: 1, settings })) {
        for (const [title] of rows) seen.push(title!)
      }
      t.strictSame(seen, ['acme 1', 'acme on Bob', 'new'])
      const none = app.database.stream(statement, [], {
        cancel: null,
        batchSize: 1,
        settings: [{ name: 'role', value: `${staff}x` }],
      })
      const rows = none[Symbol.asyncIterator]()
      await t.rejects(rows.next(), { code: 'FORBIDDEN' })
      await rows.return?.()
    })

    await t.test('a list as a stream', async (t) => {
      const lines = async (query: string, form: string, headers: Record<string, string>) => {
        const url = `/export?form=${form}&query=${encodeURIComponent(query)}`
        const { status, text } = await app.inject({ method: 'GET', url, headers })
        return [status, text.trim().split('\n')]
      }
      const query = '{ notes(orderBy: { title: ASC }) { title author { name } } }'
      t.strictSame(await lines(query, 'rows', as('bolt')), [
        200,
        ['{"title":"bolt 1","author":{"name":"Bob"}}', '{"title":"bolt on Ann","author":null}'],
      ])
      t.strictSame(await lines('{ notes(orderBy: { title: ASC }) { title } }', 'columns', as('bolt')), [
        200,
        ['["bolt 1"]', '["bolt on Ann"]'],
      ])
      for (const form of ['rows', 'columns']) {
        const [status, [body]] = (await lines('{ notes { title } }', form, as('bolt', 'nobody'))) as [number, string[]]
        t.match([status, body], [403, /FORBIDDEN/])
      }
    })

    await t.test('values of every kind', async (t) => {
      const document = '{ session { who tenant tags sent service started readOnly } }'
      const before = Date.now()
      const { session } = await ask(document, { ...as('a\'"b', boss, { tags: ['x', { y: 1.5 }] }), 'x-from': 'there' })
      t.match(session, {
        who: boss,
        tenant: 'a\'"b',
        tags: '["x",{"y":1.5}]',
        sent: 'there',
        service: /^7$/,
        readOnly: /^on$/,
      })
      t.ok(Date.parse(session.started) >= before && Date.parse(session.started) <= Date.now())
      for (const value of [12, true]) {
        const answer = await ask('{ session { tags } }', as('a', staff, { tags: value }))
        t.equal(answer.session.tags, String(value))
      }
      const none = (await ask(document, { 'x-claims': JSON.stringify({ role: staff, tags: null }) })).session
      t.match([none.tenant || null, none.tags || null, none.sent || null], [null, null, null], 'absent is not set')
    })

    await t.test('a role that cannot be', async (t) => {
      const refusals = () => app.signals.filter((signal) => signal.type === 'settings-refused')
      const before = refusals().length
      const cases: readonly (readonly [claims: object | null, code: string, message: RegExp])[] = [
        [null, 'UNAUTHENTICATED', /credential/],
        [{}, 'FORBIDDEN', /claim "role"/],
        [{ role: null }, 'FORBIDDEN', /claim "role"/],
        [{ role: ['a'] }, 'FORBIDDEN', /does not name a role/],
        [{ role: '' }, 'FORBIDDEN', /does not name a role/],
        [{ role: 'none' }, 'FORBIDDEN', /does not name a role/],
        [{ role: 'a\u0000b' }, 'FORBIDDEN', /character/],
        [{ role: `${staff}"; RESET ROLE; --` }, 'FORBIDDEN', /database refused/],
        [{ role: staff.toUpperCase() }, 'FORBIDDEN', /database refused/],
      ]
      for (const [claims, code, message] of cases) {
        const headers: Record<string, string> = claims === null ? {} : { 'x-claims': JSON.stringify(claims) }
        for (const document of [
          '{ notes { title } }',
          '{ a: notes { title } b: session { who } }',
          'mutation { who }',
        ]) {
          const { data, errors } = await app.graphql(document, undefined, headers)
          t.equal(data, undefined, 'nothing of the operation is answered')
          t.equal(errors?.length, 1)
          t.match(errors?.[0], { message, extensions: { code } })
          t.notMatch(JSON.stringify(errors), /svc Staff|does not exist|set_config/, 'no words of the database')
        }
      }
      t.equal(refusals().length - before, 6, 'each is in the log, once')
      t.match(refusals().at(-1), {
        operation: null,
        role: staff.toUpperCase(),
        variables: ['app.service', 'svc.started_at'],
        reason: /role .* does not exist/,
      })
      t.notMatch(JSON.stringify(app.signals), /acme|bolt/, 'no values of variables')
      // The user of this connection may take on everything; what the role may not see is another matter.
      t.match(await ask('{ session { who } }', as('acme', stranger)), { codes: ['FORBIDDEN'] })
    })

    await t.test('two tenants at once, and those without', async (t) => {
      const document = '{ notes { title } session { who tenant } }'
      const write = 'mutation { who }'
      const rounds = Array.from({ length: 60 }, async (_, i) => {
        const tenant = i % 2 === 0 ? 'acme' : 'bolt'
        const role = i % 3 === 0 ? boss : staff
        if (i % 5 === 4) return t.strictSame(await ask(write, as(tenant, role)), { who: `${role}/${tenant}` })
        if (i % 7 === 6) {
          const { rows } = await app.database.query(
            {
              name: 'bare',
              text: `SELECT current_user, coalesce(current_setting('app.tenant', true), '')`,
              readOnly: true,
            },
            [],
            null,
          )
          return t.strictSame(rows, [['postgres', '']], 'nothing of the others')
        }
        const { notes, session } = await ask(document, as(tenant, role))
        t.strictSame(session, { who: role, tenant })
        t.ok(
          notes.length > 0 &&
            notes.every(({ title }: { title: string }) => !title.startsWith(tenant === 'acme' ? 'bolt' : 'acme')),
        )
      })
      await Promise.all(rounds)
    })

    if (database.kind !== 'postgres') return
    await t.test('a user of the connection that is nobody special', async (t) => {
      const url = tenants.loginUrl(database)
      const fresh = { pool_max: 2 }
      const plain = await openApp(t, database, TENANTS, { plugins: [trusting], url, database: fresh, sessionVariables })
      const seen = async (headers: Record<string, string>) =>
        titles((await plain.graphql('{ notes { title } }', undefined, headers)).data.notes)
      t.strictSame((await seen(as('bolt'))).length, 2, 'variables alone')
      t.strictSame(await seen({}), [], 'none without')
      t.strictSame(await seen({ 'x-claims': '{}' }), [])

      const roles = { ...fresh, role_claim: 'role', anonymous_role: boss }
      const app = await openApp(t, database, TENANTS, { plugins: [trusting], url, database: roles, sessionVariables })
      const who = async (headers: Record<string, string>) => {
        const { data, errors } = await app.graphql('{ session { who } }', undefined, headers)
        return data?.session.who ?? errors?.[0]?.extensions.code
      }
      const refused = 'FORBIDDEN'
      const asked = [as('a', staff), as('a', stranger), {}, as('a', boss), as('a', 'postgres'), as('a', 'x')]
      for (let i = 0; i < 3; i++) {
        // At once on shared connections: whoever is refused spoils nothing for the others.
        const found = await Promise.all(asked.map(who))
        t.strictSame(found, [staff, refused, boss, boss, refused, refused])
      }
      const { rows } = await app.database.query({ name: null, text: 'SELECT current_user', readOnly: true }, [], null)
      t.strictSame(rows, [[tenants.login]])
    })

    await t.test(
      '240 requests at once on four connections, for seconds: no tenant sees a row of the other',
      async (t) => {
        const pool = { pool_max: 4, role_claim: 'role' }
        const url = tenants.loginUrl(database)
        const shared = await openApp(t, database, TENANTS, {
          plugins: [trusting],
          url,
          database: pool,
          sessionVariables,
        })
        const answered = { acme: 0, bolt: 0, nobody: 0 }
        const leaks: string[] = []
        const faults: string[] = []
        const end = Date.now() + 2500
        const documents = [
          '{ notes { title } session { tenant } }',
          '{ notePages(first: 9) { totalCount edges { node { title } } } }',
          '{ authors { name notes { title author { name } } } }',
          '{ counted(limit: 1) { totalCount items { title } } }',
          // An error on the same connection, and what runs alone after it.
          '{ notes { title } note(id: "x") { title } }',
          'mutation { rename(id: "$ID", title: "taken over") }',
          'mutation { who }',
        ]
        async function client(index: number): Promise<void> {
          const tenant = (['acme', 'bolt', 'acme', 'bolt', 'nobody'] as const)[index % 5]!
          const other = tenant === 'acme' ? 'bolt' : 'acme'
          const strange = tenant === 'nobody' ? /acme|bolt|Ann|Bob|true/ : other === 'bolt' ? /bolt|Bob"/ : /acme|Ann"/
          for (let i = index; Date.now() < end; i++) {
            const document = documents[i % documents.length]!.replace('$ID', NOTE_ID[other])
            const { data, errors } = await shared.graphql(document, undefined, as(tenant === 'nobody' ? '' : tenant))
            const text = JSON.stringify(data)
            // The names of the notes say whose they are, and on whom: "bolt on Ann" is bolt's.
            const own = text.replaceAll(/(acme|bolt) on (Ann|Bob)/g, '$1')
            if (strange.test(own.replaceAll(staff, '')) || own.includes('"rename":true'))
              leaks.push(`${tenant}: ${text}`)
            if (errors !== undefined && !document.includes('"x"')) faults.push(JSON.stringify(errors[0]))
            answered[tenant]++
          }
        }
        await Promise.all(Array.from({ length: 240 }, (_, index) => client(index)))
        t.strictSame(leaks.slice(0, 3), [], 'nothing of the other')
        t.strictSame(faults.slice(0, 3), [])
        const told = JSON.stringify(answered)
        t.ok(
          Object.values(answered).every((count) => count >= 48),
          `everybody was answered: ${told}`,
        )
        const [note] = (await ask('{ notes(where: { title: { _eq: "taken over" } }) { title } }', as('bolt'))).notes
        t.equal(note, undefined)
      },
    )
  },
  { pglite: 'always', sql: tenants.sql },
)
