import t from 'tap'
import { pluginOf } from '../../../../core/base/errors/blame.ts'
import type { CommittedWrite } from '../../../../core/contract/committed-write.ts'
import type { OwnedContribution } from '../../../../core/contract/write-contribution.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { authOf, executeWorldOn } from '../../../helpers/execute-world.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import { ANN, BLOG, BLOG_SQL } from './blog.ts'

/** `scope.writes`: rows before a write, and rows of a plugin for each written row (docs/guides/write-a-plugin.md#more-of-each-write). */

const RECORD = 'mutation_response'
const SQL = `${BLOG_SQL}
CREATE TABLE svc_outbox (position bigserial PRIMARY KEY, id uuid NOT NULL UNIQUE, at timestamptz NOT NULL, mutation text NOT NULL, kind text NOT NULL,
  entity_type text, entity_id text, entity jsonb, before jsonb, fields jsonb, cascade jsonb, who text, number int);
CREATE TABLE narrow (id uuid, entity_id text CHECK (entity_id IS NULL));
CREATE FUNCTION fn_rename(p_id uuid, p_title text, p_how text DEFAULT 'whole') RETURNS ${RECORD} LANGUAGE plpgsql AS $$
DECLARE r tb_post; BEGIN
  UPDATE tb_post SET title = p_title WHERE id = p_id RETURNING * INTO r;
  RETURN ('updated', NULL, r.id, 'Post', CASE p_how WHEN 'whole' THEN to_jsonb(r) END, ARRAY['title'], NULL, NULL)::${RECORD};
END $$;
CREATE FUNCTION fn_remove(p_id uuid) RETURNS ${RECORD} LANGUAGE plpgsql AS $$
DECLARE r tb_post; BEGIN
  DELETE FROM tb_post WHERE id = p_id RETURNING * INTO r;
  RETURN ('deleted', NULL, r.id, 'Post', to_jsonb(r), NULL, NULL, NULL)::${RECORD};
END $$;
CREATE FUNCTION fn_put(p_title text, p_new boolean) RETURNS ${RECORD} LANGUAGE plpgsql AS $$
DECLARE r tb_post; BEGIN
  r := insert_post('${ANN}', p_title);
  RETURN (CASE WHEN p_new THEN 'created' ELSE 'updated' END, NULL, r.id, 'Post', to_jsonb(r), NULL, NULL, NULL)::${RECORD};
END $$;
`
const ARGS = { id: { name: 'id', type: 'ID!' }, title: { name: 'title', type: 'String!' } }
const AUTHORED = {
  ...BLOG,
  mutations: [
    ...BLOG.mutations!,
    {
      name: 'rename_post',
      type: 'Post',
      sql_source: 'fn_rename',
      operation: 'UPDATE' as const,
      arguments: [ARGS.id, ARGS.title, { name: 'how', type: 'String' }],
    },
    { name: 'remove_post', type: 'Post', sql_source: 'fn_remove', operation: 'DELETE' as const, arguments: [ARGS.id] },
    {
      name: 'put_post',
      type: 'Post',
      sql_source: 'fn_put',
      arguments: [ARGS.title, { name: 'new', type: 'Boolean!' }],
    },
    {
      name: 'set_post',
      type: 'PostPayload',
      sql_source: 'fn_rename',
      operation: 'UPDATE' as const,
      arguments: [ARGS.id, ARGS.title],
    },
  ],
}

const COLUMNS = {
  id: 'id',
  at: 'time',
  mutation: 'mutation',
  kind: 'kind',
  entity_type: 'entityType',
  entity_id: 'entityId',
  entity: 'entity',
  before: 'before',
  fields: 'updatedFields',
  cascade: 'cascade',
  who: (exchange) => exchange.auth?.subject ?? null,
  number: () => '7',
} as const satisfies NonNullable<OwnedContribution['insert']>['columns']
const OUTBOX: OwnedContribution = {
  plugin: 'outbox',
  before: true,
  entity: true,
  insert: { table: 'svc_outbox', columns: COLUMNS },
}

await eachDatabase(
  t,
  async (t, test) => {
    const database = await openTestDatabase(t, test)
    const told = await executeWorldOn(database, AUTHORED, { contributions: [OUTBOX] })
    const untold = await executeWorldOn(database, AUTHORED, { contributions: [OUTBOX], events: false })
    const hooked = await executeWorldOn(database, AUTHORED, {
      contributions: [OUTBOX],
      mutationHooks: { before: () => {}, after: null },
    })
    const { look } = told
    const outbox = async () =>
      (await look('SELECT to_jsonb(o)::text FROM svc_outbox o ORDER BY position')).map(([text]) => JSON.parse(text!))
    const clear = () => look('TRUNCATE svc_outbox')
    const add = async (title: string) =>
      (await told.run(`mutation { createPost(authorId: "${ANN}", title: "${title}") { id } }`)).data.createPost
        .id as string

    /** The row of the outbox as the write that was told of. */
    const same = (row: Record<string, unknown>, write: CommittedWrite | undefined) => {
      const parse = (text: string | null | undefined) => (text == null ? null : JSON.parse(text))
      t.same(
        {
          ...row,
          position: undefined,
          at: new Date(row.at as string).toISOString(),
        },
        {
          position: undefined,
          id: write?.id,
          at: write?.time,
          mutation: write?.mutation,
          kind: write?.kind,
          entity_type: write?.entityType,
          entity_id: write?.entityId,
          entity: parse(write?.entity),
          before: parse(write?.before),
          fields: write?.updatedFields ?? null,
          cascade: parse(write?.cascade),
          who: 'user',
          number: 7,
        },
        'the row says what was told',
      )
    }
    const documents = (id: string, other: string): readonly [document: string, kinds: readonly string[]][] => [
      [`mutation { createPost(authorId: "${ANN}", title: "c") { title } }`, ['CREATE']],
      [`mutation { renamePost(id: "${id}", title: "r") { title } }`, ['UPDATE']],
      [`mutation { renamePost(id: "${id}", title: "r2", how: "id") { title } }`, ['UPDATE']],
      [`mutation { setPost(id: "${id}", title: "r3") { status post { title } } }`, ['UPDATE']],
      ['mutation { putPost(title: "p", new: true) { title } }', ['CREATE']],
      ['mutation { putPost(title: "p", new: false) { title } }', ['UPDATE']],
      ['mutation { idOnly(title: "i") { title author { name } } }', ['CREATE']],
      ['mutation { byUuids(titles: ["u1", "u2"]) { title } }', ['CUSTOM', 'CUSTOM']],
      ['mutation { setof(titles: ["s1", "s2", "s3"]) { title } }', ['CUSTOM', 'CUSTOM', 'CUSTOM']],
      ['mutation { setof(titles: []) { title } }', []],
      ['mutation { postsJson(kind: "two") { title } }', ['CUSTOM', 'CUSTOM']],
      ['mutation { done(title: "v") }', ['CUSTOM']],
      ['mutation { number(value: 3) }', ['CUSTOM']],
      [`mutation { removePost(id: "${id}") { title } }`, ['DELETE']],
      [`mutation { deletePost(id: "${other}") { title } }`, ['DELETE']],
      ['mutation { answer(status: "noop") { title } }', []],
      ['mutation { answer(status: "failed:x") { title } }', []],
    ]

    for (const [name, world] of Object.entries({ 'on its own': told, 'with mutationHooks': hooked })) {
      await t.test(`${name}: the row beside the write equals the reported write`, async () => {
        for (const [document, kinds] of documents(await add('first'), await add('other'))) {
          await clear()
          world.events.length = 0
          await world.run(document, {}, authOf({}))
          const writes = world.events.flatMap(({ writes }) => writes)
          const rows = await outbox()
          t.same(
            rows.map((row) => row.kind),
            kinds,
            document,
          )
          t.equal(writes.length, rows.length, document)
          for (const [index, row] of rows.entries()) same(row, writes[index])
          t.equal(new Set(rows.map((row) => row.id)).size, rows.length)
        }
      })
    }

    await t.test('the row before, and the row after where the function gives its id alone', async (t) => {
      const id = await add('old')
      for (const [document, before, after] of [
        [`mutation { renamePost(id: "${id}", title: "new") { title } }`, 'old', 'new'],
        [`mutation { renamePost(id: "${id}", title: "newer", how: "id") { __typename } }`, 'new', 'newer'],
        [`mutation { setPost(id: "${id}", title: "newest") { status } }`, 'newer', 'newest'],
        [`mutation { removePost(id: "${id}") { title } }`, 'newest', null],
      ] as const) {
        told.events.length = 0
        const { errors } = await told.run(document)
        t.same(errors, [])
        const write = told.events[0]?.writes[0]
        t.equal(write?.entityId, id)
        t.equal(JSON.parse(write?.before ?? 'null')?.title, before, document)
        t.equal(JSON.parse(write?.entity ?? 'null')?.title ?? null, after, document)
        if (after !== null)
          t.same(Object.keys(JSON.parse(write!.before!)), Object.keys(JSON.parse(write!.entity!)), 'alike')
      }
      const other = await add('gone')
      told.events.length = 0
      await told.run(`mutation { deletePost(id: "${other}") { id title } }`)
      t.match(
        told.events[0]?.writes,
        [{ kind: 'DELETE', entityId: other, entity: null, before: /"gone"/ }],
        'by argument',
      )
      await told.run(`mutation { deletePost(id: "${other}") { id title } }`)
      t.equal(told.events.length, 1, 'what was not there is not deleted')
    })

    await t.test('on its own it is one statement still', async (t) => {
      for (const world of [told, untold]) {
        world.log.length = 0
        await world.run(`mutation { createPost(authorId: "${ANN}", title: "one") { title } }`)
        t.equal(world.log.length, 1)
        t.match(world.log[0], /^WITH .*INSERT INTO "svc_outbox"/s)
      }
      t.notMatch(untold.log[0]!, /::text FROM "svc_write"/, 'what nobody is told of does not leave the database')
    })

    await t.test('rolled back with the write', async (t) => {
      await clear()
      await told.run('mutation { raise(how: "plain") }')
      await told.run('mutation { answer(status: "nonsense") { title } }')
      const operation = told.operation(`mutation { createPost(authorId: "${ANN}", title: "dry") { title } }`)
      await told.resolve({ ...operation, write: { dryRun: true } })
      const both = told.operation(`mutation { createPost(authorId: "${ANN}", title: "x") { title } raise(how: "own") }`)
      await told.resolve({ ...both, write: { atomic: true } })
      t.same(await outbox(), [])
      await told.resolve({ ...operation, write: { atomic: true } })
      t.equal((await outbox()).length, 1)
    })

    await t.test('a table that rejects the row is a fault of its plugin', async (t) => {
      const id = { id: 'id' } as const
      for (const [insert, reason] of [
        [{ table: 'nowhere', columns: id }, /nowhere/],
        [{ table: 'narrow', columns: { entity_id: 'entityId' } }, /narrow/],
      ] as const) {
        for (const mutationHooks of [null, { before: () => {}, after: null }]) {
          const { run, events } = await executeWorldOn(database, AUTHORED, {
            contributions: [{ plugin: 'outbox', insert }],
            ...(mutationHooks === null ? {} : { mutationHooks }),
          })
          const { data, errors } = await run(`mutation { tryPost(authorId: "${ANN}", title: "refused") { title } }`)
          t.same(data, { tryPost: null })
          t.match(errors, [{ code: 'INTERNAL_SERVER_ERROR', path: ['tryPost'] }])
          t.notMatch(errors[0]!.message, reason)
          t.equal(pluginOf(errors[0]), 'outbox')
          t.same(events, [])
        }
      }
      t.same(await look("SELECT FROM tb_post WHERE title = 'refused'"), [])
    })

    await t.test('mutations that a plugin does not ask for pay nothing', async (t) => {
      const only = { ...OUTBOX, mutations: ({ name }: { readonly name: string }) => name === 'rename_post' }
      const { run, log } = await executeWorldOn(database, AUTHORED, { contributions: [only] })
      await clear()
      await run(`mutation { createPost(authorId: "${ANN}", title: "n") { title } }`)
      t.notMatch(log[0]!, /WITH/)
      t.same(await outbox(), [])
    })
  },
  { sql: SQL },
)
