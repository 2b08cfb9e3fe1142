import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { definePlugin } from '../../../core/doors/plugin.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import rest from '../../../plugins/rest/index.ts'
import sse from '../../../plugins/sse/index.ts'
import { eachDatabase, runOnServer, type TestDatabase } from '../../helpers/databases.ts'
import type { TestLike } from '../../helpers/services.ts'
import { openShop, type Shop, until } from '../../plugins/subscriptions/shop.ts'
import { authOf } from './engine.ts'
import { librarySchema, ROLES, ROLES_SQL, SQLITE_SCRIPTS, SQLITE_SQL } from './library.ts'
import { MASKED, RULES, type RuleRow } from './rules.ts'
import { type HeardStream, STREAM_WAYS, type StreamWay } from './stream-ways.ts'

/**
 * Every rule × every transport of changes. Ann and bob each change and delete a book of their own; each hears of what the
 * rule shows, and of nothing else.
 */
t.setTimeout(600_000)

const SQL = `${ROLES_SQL}
GRANT DELETE ON tb_book TO ${ROLES.join(', ')};
CREATE FUNCTION fn_change(p_id text) RETURNS jsonb LANGUAGE sql AS $$
  UPDATE tb_book SET title = title WHERE id = p_id
  RETURNING jsonb_build_object('status', 'updated', 'entity_id', id, 'entity', to_jsonb(tb_book)) $$;
CREATE FUNCTION fn_drop(p_id text) RETURNS jsonb LANGUAGE sql AS $$
  DELETE FROM tb_book WHERE id = p_id
  RETURNING jsonb_build_object('status', 'deleted', 'entity_id', id, 'entity', to_jsonb(tb_book)) $$;
`
const DONE =
  "id AS entity_id, json_object('pk_book', pk_book, 'id', id, 'fk_shelf', fk_shelf, 'title', title, 'owner', owner) AS entity"
const SQLITE_DOES = {
  ...SQLITE_SCRIPTS,
  fn_change: `-- :id text\nUPDATE tb_book SET title = title WHERE id = :id RETURNING 'updated' AS status, ${DONE};`,
  fn_drop: `-- :id text\nDELETE FROM tb_book WHERE id = :id RETURNING 'deleted' AS status, ${DONE};`,
}
const RESTORE =
  "INSERT INTO tb_book VALUES (1, 'ann-1', 1, 'Of ann', 'ann'), (2, 'bob-1', 1, 'Of bob', 'bob') ON CONFLICT DO NOTHING"
const ID = [{ name: 'id', type: 'ID!' }]
const GRAPHQL: readonly StreamWay[] = ['GraphQL over WebSocket', 'GraphQL over SSE']
const REST: readonly StreamWay[] = ['REST over SSE']

interface StreamRule extends Omit<RuleRow, 'hides'> {
  readonly hides: 'rows' | 'field' | 'field of rows' | 'field masked' | 'type'
  readonly ways: readonly StreamWay[]
  /** The database hides rows by itself, and cannot be asked about a row that is gone: nobody is told of deletes. */
  readonly hidesDeletes?: boolean
}

/** The rules of the grid, as they hold for streams, and those that subscriptions alone have. */
function streamRules(): Readonly<Record<string, StreamRule>> {
  const rules: Record<string, StreamRule> = {}
  for (const [name, rule] of Object.entries(RULES)) {
    const { hides } = rule
    // A rule of queries holds for the stream of a resource; a subscription has rules of its own.
    if (hides === 'rows of queries') rules[name] = { ...rule, hides: 'rows', ways: REST }
    else {
      const ways = [...GRAPHQL, ...REST]
      rules[name] = { ...rule, hides: hides === 'rows of policies' ? 'rows' : hides, ways, ...past(rule) }
    }
  }
  const own = { hides: 'rows', schema: (base: AuthoredSchema) => base, authorize: () => {}, ways: GRAPHQL } as const
  return {
    ...rules,
    'subscription inject': { ...own, schema: ofSubscription({ inject: { owner: 'jwt:sub' } }) },
    'subscription filter by context': {
      ...own,
      schema: ofSubscription({ filter: 'owner == context.user_id' }),
      absence: 'nothing',
    },
    'subscription filter by a claim': {
      ...own,
      schema: ofSubscription({ filter: 'owner == context.sub' }),
      absence: 'nothing',
    },
  }
}

function past({ session, dialect }: RuleRow): { readonly hidesDeletes?: boolean } {
  return session !== undefined || dialect !== undefined ? { hidesDeletes: true } : {}
}

function ofSubscription(more: object) {
  return (base: AuthoredSchema): AuthoredSchema => ({
    ...base,
    subscriptions: base.subscriptions?.map((each) => ({ ...each, ...more })) ?? [],
  })
}

function schemaOf({ schema }: StreamRule): AuthoredSchema {
  const base = librarySchema()
  const ruled = schema({
    ...base,
    types: base.types?.map((type) => (type.name === 'Book' ? { ...type, open: true } : type)) ?? [],
    mutations: [
      { name: 'change', type: 'Book', sql_source: 'fn_change', arguments: ID, operation: 'UPDATE' },
      { name: 'drop', type: 'Book', sql_source: 'fn_drop', arguments: ID, operation: 'DELETE' },
    ],
    subscriptions: [{ name: 'book_changed', type: 'Book!' }],
  })
  const policy = ruled.queries?.find(({ name }) => name === 'books')?.requires_policy
  return policy === undefined ? ruled : ofSubscription({ requires_policy: policy })(ruled)
}

await eachDatabase(
  t,
  async (t, test) => {
    if (test.kind === 'postgres') {
      const name = new URL(test.url).pathname.slice(1)
      t.teardown(async () => {
        for (const role of ROLES) {
          await runOnServer(name, `DROP OWNED BY ${role}`)
          await runOnServer('postgres', `DROP ROLE ${role}`)
        }
      })
    }
    await grid(t, test)
  },
  { sql: SQL, sqlite: { sql: SQLITE_SQL, scripts: SQLITE_DOES } },
)

async function grid(t: TestLike, test: TestDatabase): Promise<void> {
  for (const [label, rule] of Object.entries(streamRules())) {
    if (rule.dialect !== undefined && test.kind === 'sqlite') continue
    await t.test(label, async (t) => {
      const app = await open(rule)
      const headersOf = (who: string | null): Record<string, string> =>
        who === null ? {} : { authorization: `Bearer ${JSON.stringify(authOf(who))}`, 'x-reader': who }
      /** Each acts for itself, and may. */
      const act = async (mutation: string, who: string): Promise<void> => {
        const document = `mutation { ${mutation}(id: "${who}-1") { id } }`
        const { errors } = await app.graphql(document, {}, headersOf(who))
        t.strictSame(errors, undefined, `${who} may ${mutation}`)
      }
      const listen = async (way: StreamWay, who: string | null): Promise<HeardStream> => {
        const before = app.metric('svc_subscriptions_active')
        const heard = await STREAM_WAYS[way](t, app.url, headersOf(who))
        await until(() => heard.isOver() || app.metric('svc_subscriptions_active') > before, `${way} begins`)
        return heard
      }
      const of: Record<string, Record<string, HeardStream>> = {}
      for (const way of rule.ways) of[way] = { ann: await listen(way, 'ann'), bob: await listen(way, 'bob') }
      const all = () => Object.values(of).flatMap(({ ann, bob }) => [ann!, bob!])
      /** Reads what all of them were told of one act of both; each stream is in the order of events. */
      const told = async (mutation: string, isTold: boolean): Promise<Record<string, Record<string, string>>> => {
        const from = new Map(all().map((heard) => [heard, heard.text().length]))
        const since = (heard: HeardStream): string => heard.text().slice(from.get(heard)!)
        await act(mutation, 'bob')
        // Who may not see a type may not write it.
        if (rule.hides !== 'type') await act(mutation, 'ann')
        const hears = (heard: HeardStream, who: string): boolean =>
          heard.isOver() || since(heard).includes(`"${who}-1"`)
        if (isTold) {
          for (const { ann, bob } of Object.values(of)) {
            await until(() => hears(ann!, 'ann') && hears(bob!, 'bob'), `${mutation} is told`)
          }
        }
        await sleep(60)
        return Object.fromEntries(
          Object.entries(of).map(([way, { ann, bob }]) => [way, { ann: since(ann!), bob: since(bob!) }]),
        )
      }

      for (const mutation of ['change', 'drop']) {
        const isTold = mutation === 'change' || rule.hidesDeletes !== true
        const texts = await told(mutation, isTold)
        for (const [way, { ann = '', bob = '' }] of Object.entries(texts)) {
          const at = `${way}, ${mutation}`
          if (!isTold) {
            t.strictSame([ann, bob].join('').match(/(?:ann|bob)-1/g), null, `${at}: nobody is told (${ann}${bob})`)
          } else if (rule.hides === 'type') {
            t.notMatch(ann, /bob|ann-1/, `${at}: ann is told nothing (${ann})`)
            t.ok(of[way]?.ann?.isOver(), `${at}: and does not wait for it`)
            t.match(bob, '"bob-1"', `${at}: its twin is told (${bob})`)
          } else if (rule.hides === 'rows') {
            t.notMatch(ann, /bob/, `${at}: hidden from ann (${ann})`)
            t.match(ann, '"ann-1"', `${at}: her own is shown`)
            t.notMatch(bob, /ann/, `${at}: hidden from bob (${bob})`)
            t.match(bob, '"bob-1"', `${at}: his own is shown`)
          } else {
            t.notMatch(ann, 'Of bob', `${at}: hidden (${ann})`)
            t.match(ann, '"bob-1"', `${at}: the row is shown`)
            t.match(bob, 'Of bob', `${at}: its twin is shown (${bob})`)
            if (rule.hides === 'field of rows') t.match(ann, 'Of ann', `${at}: her own is shown`)
            else t.notMatch(ann, 'Of ann', `${at}: of all rows (${ann})`)
            if (rule.hides === 'field masked') t.match(ann, `"title":"${MASKED}"`, `${at}: shown otherwise (${ann})`)
          }
        }
        await app.database.script(RESTORE)
      }
      if (rule.hides !== 'rows') return
      for (const way of rule.ways) {
        const before = app.metric('svc_subscriptions_active')
        const nobody = await listen(way, null)
        await act('change', 'bob')
        const { bob } = of[way]!
        const heard = bob!.text().length
        await act('change', 'bob')
        await until(() => bob!.text().length > heard, 'the twin is told')
        await sleep(60)
        t.notMatch(nobody.text(), /bob/, `${way}: nobody sees it (${nobody.text()})`)
        if (rule.absence === 'nothing') t.notOk(nobody.isOver(), `${way}: and waits for what may come`)
        else t.match(nobody.text(), rule.absence ?? 'UNAUTHENTICATED', `${way}: absence denies`)
        nobody.end()
        await until(() => app.metric('svc_subscriptions_active') <= before, 'it has ended')
      }
      for (const heard of all()) heard.end()

      async function open({ authorize, session, ...row }: StreamRule): Promise<Shop> {
        // What the schema relies on is there under its name.
        const name = row.hides === 'rows' && label.includes('policy') ? 'policies' : 'test-rule'
        const manifest = { name, version: '1.0.0', kernelApi: 1, description: 'A test.' }
        const ruled = definePlugin(manifest, (scope) => {
          scope.on('authenticate', (ctx) => {
            const reader = ctx.headers['x-reader']
            if (typeof reader === 'string') ctx.context = { ...ctx.context, user: reader }
            return undefined
          })
          scope.on('authorize', ({ auth, context, headers, generation }, operation, access) =>
            authorize({ auth, context, headers, generation } as never, operation, access),
          )
        })
        const role = session?.database.role_claim
        const variables = session?.session_variables
        return openShop(t, test, schemaOf({ ...row, authorize }), {
          plugins: [ruled, rest, sse].map((plugin) => ({ plugin, options: {}, source: 'test' })),
          ...(variables === undefined ? {} : { sessionVariables: variables }),
          ...(role === undefined ? {} : { database: { role_claim: role } }),
        })
      }
    })
  }
}
