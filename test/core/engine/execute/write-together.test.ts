import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { WriteOptions } from '../../../../core/contract/operation.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { type ExecuteWorld, executeWorldOn } from '../../../helpers/execute-world.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import { ANN, BLOG, BLOG_SQL, NOBODY } from './blog.ts'

/** `operation.write`: atomic writes and dry runs (docs/guides/mutations.md#several-mutations-in-one-request). */

const SQL = `${BLOG_SQL}
CREATE TABLE tb_slot (name text, CONSTRAINT one_each UNIQUE (name) DEFERRABLE INITIALLY DEFERRED);
CREATE FUNCTION fn_slot(p_name text) RETURNS boolean LANGUAGE sql AS $$ INSERT INTO tb_slot VALUES (p_name) RETURNING true $$;
`
const AUTHORED = {
  ...BLOG,
  mutations: [
    ...BLOG.mutations!,
    { name: 'slot', type: 'Boolean', sql_source: 'fn_slot', arguments: [{ name: 'name', type: 'String!' }] },
  ],
}

const post = (key: string, title: string, author = ANN) =>
  `${key}: tryPost(authorId: "${author}", title: "${title}") { title }`

function runner({ operation, resolve }: ExecuteWorld) {
  return async (document: string, write: WriteOptions) => {
    const result = await resolve({ ...operation(document), write })
    return { ...result, data: result.data === null ? null : JSON.parse(result.data) }
  }
}

await eachDatabase(
  t,
  async (t, test) => {
    const database = await openTestDatabase(t, test)
    const world = await executeWorldOn(database, AUTHORED)
    const run = runner(world)
    const titles = async () => (await world.look('SELECT title FROM tb_post ORDER BY pk_post')).flat()
    t.beforeEach(async () => {
      world.log.length = 0
      world.events.length = 0
    })

    await t.test('atomic: all in one transaction, reported once', async (t) => {
      const { data, errors, writes } = await run(
        `mutation { ${post('a', 'one')} __typename ${post('b', 'two')} done(title: "three") }`,
        { atomic: true },
      )
      t.same(errors, null)
      t.same(data, { a: { title: 'one' }, __typename: 'Mutation', b: { title: 'two' }, done: true })
      t.equal(world.log.filter((text) => text === 'BEGIN').length, 1)
      t.equal(world.events.length, 1)
      t.match(world.events[0]?.writes, [{ mutation: 'tryPost' }, { mutation: 'tryPost' }, { mutation: 'done' }])
      t.same(writes, world.events[0]?.writes)
      t.same(await titles(), ['one', 'two', 'three'])
    })

    await t.test('atomic: whatever fails, nothing is written, and the error has its path', async (t) => {
      const before = await titles()
      const failures: readonly [second: string, code: string][] = [
        [`b: raise(how: "own")`, 'OUT_OF_STOCK'],
        [`b: raise(how: "check")`, 'CONSTRAINT_VIOLATION'],
        [`b: answer(status: "failed:late", message: "too late") { title }`, 'LATE'],
        [`b: answer(status: "nonsense") { title }`, 'INTERNAL_SERVER_ERROR'],
        [post('b', 'x', NOBODY), 'NOT_FOUND'],
        [`b: outcome(kind: "failed:tries") { ... on TriesError { message } }`, 'TRIES'],
        [`b: maybeUuid(title: "stranger") { title }`, 'NOT_FOUND'],
      ]
      for (const [second, code] of failures) {
        world.events.length = 0
        const document = `mutation { ${post('a', 'undone')} ${second} ${post('c', 'never')} }`
        const { data, errors, writes } = await run(document, { atomic: true })
        t.equal(data, null, second)
        t.equal(errors?.length, 1, second)
        t.match(errors, [{ code, path: [/^b$/] }], second)
        t.equal(writes, undefined, second)
        t.same(world.events, [], second)
        t.same(await titles(), before, second)
      }
    })

    await t.test('atomic: bad input is found before anything has begun', async (t) => {
      const { data, errors } = await run(`mutation { ${post('a', 'no')} tenant }`, { atomic: true })
      t.equal(data, null)
      t.match(errors, [{ code: 'UNAUTHENTICATED', path: ['tenant'] }])
      t.same(world.log, [])
    })

    await t.test('atomic: the error of a failed COMMIT has no path', async (t) => {
      const { data, errors } = await run('mutation { a: slot(name: "s") b: slot(name: "s") }', { atomic: true })
      t.equal(data, null)
      t.match(errors, [{ code: 'CONFLICT', path: undefined }])
      t.same(world.events, [])
      t.same(await world.look('SELECT name FROM tb_slot'), [])
    })

    await t.test('dry run: answered as if it were done, and nothing is left of it', async (t) => {
      const before = await titles()
      for (const write of [{ dryRun: true }, { dryRun: true, atomic: true }]) {
        world.events.length = 0
        const document = `mutation { ${post('a', 'dry')} id: byUuid(title: "dry") { title author { name } } done(title: "dry") }`
        const { data, errors, writes } = await run(document, { ...write, tell: true })
        t.same(errors, null)
        t.same(data, { a: { title: 'dry' }, id: { title: 'dry', author: { name: 'Ann' } }, done: true })
        t.match(writes, [
          { entityType: 'Post', entity: /dry/ },
          { entityType: 'Post', entityId: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ },
          {},
        ])
        t.same(world.events, [], 'nobody is told')
        t.same(await titles(), before)
      }
    })

    await t.test('dry run: fails where the write would have', async (t) => {
      const { data, errors } = await run(`mutation { a: raise(how: "own") ${post('b', 'dry')} }`, { dryRun: true })
      t.same(data, { a: null, b: { title: 'dry' } })
      t.match(errors, [{ code: 'OUT_OF_STOCK', path: [/^a$/] }])
      const deferred = await run('mutation { a: slot(name: "d") b: slot(name: "d") }', { dryRun: true, atomic: true })
      t.match(deferred, { data: null, errors: [{ code: 'CONFLICT' }] }, 'what is checked at COMMIT is checked')
      t.match(await run('mutation { a: slot(name: "d") }', { dryRun: true }), { data: { a: true }, errors: null })
    })

    await t.test('a root that a plugin answers can be part of neither', async (t) => {
      const operation = world.operation(`mutation { ${post('a', 'call')} }`)
      const call = {
        name: 'own',
        guard: { public: true } as never,
        nullable: true,
        location: null,
        run: () => ({ text: '1', errors: [] }),
      }
      const roots = [...operation.template.roots, { kind: 'literal', responseKey: 'own', json: '1', call } as const]
      const template = { ...operation.template, roots, hasCalls: true as const }
      for (const write of [{ atomic: true }, { dryRun: true }]) {
        await t.rejects(world.resolve({ ...operation, template, write }), { code: 'REQUEST_ERROR', message: /"own"/ })
      }
      t.same(world.log, [])
    })

    await t.test('a moment that throws undoes all of an atomic operation', async (t) => {
      const hooked = await executeWorldOn(database, AUTHORED, {
        mutationHooks: {
          before: null,
          after(_exchange, call) {
            t.equal(call.dryRun, false)
            if (call.root.responseKey === 'b') throw new SvcError('NOT_B', 'Not b.')
          },
        },
      })
      const before = await titles()
      const { data, errors } = await runner(hooked)(`mutation { ${post('a', 'x')} ${post('b', 'y')} }`, {
        atomic: true,
      })
      t.equal(data, null)
      t.match(errors, [{ code: 'NOT_B', path: [/^b$/] }])
      t.same(await titles(), before)
      t.same(hooked.events, [])
    })
  },
  { sql: SQL },
)
