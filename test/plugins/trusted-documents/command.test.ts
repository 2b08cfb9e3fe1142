import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { SMALL, writeProject } from '../../helpers/open-project.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { requireService } from '../../helpers/services.ts'

const manifestOf = (...texts: readonly string[]) =>
  JSON.stringify(Object.fromEntries(texts.map((text) => [createHash('sha256').update(text).digest('hex'), text])))

t.test('svc validate-documents', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const folder = t.testdir({})
  const url = await createPostgresDatabase(t)
  const section = '[security.trusted_documents]\nenabled = true\nmanifest_path = "documents.json"\n'
  writeProject(folder, `[database]\nurl = "${url}"\n${section}`)
  const write = (text: string) => writeFileSync(join(folder, 'documents.json'), text)
  const run = (...argv: readonly string[]) => runCommand(folder, 'validate-documents', ...argv)

  t.match(await run(), { code: 2, err: /documents\.json\) cannot be read: ENOENT/ })
  t.match(await run('nowhere.json'), { code: 2, err: /nowhere\.json\) cannot be read/ })
  write(manifestOf('{ relations { name } }', '{ __typename }'))
  t.same(await run(), { code: 0, out: 'documents.json: 2 documents, all valid\n', err: '' })
  t.match(await run('--schema'), { code: 0 })
  write(manifestOf('{ relations { name } }', '{ relations { size } }'))
  t.match(await run(), { code: 0 }, 'each belongs to its hash')
  t.match(await run('--schema'), { code: 1, out: '', err: /"[0-9a-f]{64}" does not fit the schema: .*"size"/ })
  const { code, out } = await run('--schema', '--json')
  t.equal(code, 1)
  t.match(JSON.parse(out), { valid: false, documents: 2, faults: [/does not fit/] })
  write('{ "a": "b" }')
  t.match(await run(), { code: 1, err: /"a" is no hash/ })
  t.match(await run('--schema', '--json'), { code: 1, out: /"faults": \[\s+"\\"a\\" is no hash/ })
})

t.test('svc compile says which documents the schema does not answer', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const folder = t.testdir({})
  const url = await createPostgresDatabase(t)
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const section = '[security.trusted_documents]\nenabled = true\nmode = "strict"\nmanifest_path = "documents.json"\n'
  // Of what is not set up for it nothing is asked, no secret either.
  write(
    'svc.toml',
    `[database]\nurl = "${url}"\n[validation]\nmax_query_depth = 2\n[security]\njwt_algorithm = "RS256"\n${section}`,
  )
  write('schema.json', JSON.stringify(SMALL))
  const bySize = 'query ($w: RelationWhereInput) { relations(where: $w, limit: -1) { name } }'
  write('documents.json', manifestOf('{ relations { name } }', '{ relations { size } }', bySize))
  for (const argv of [[], ['--check'], ['--offline']]) {
    const { code, err } = await runCommand(folder, 'compile', ...argv)
    t.equal(code, 0, err)
    t.match(
      err,
      /^warning {2}Plugin "trusted-documents": 2 of 3 trusted documents do not fit the schema: [0-9a-f]{64}: .*"size"/m,
    )
    t.match(err, /limit/)
  }
  write('documents.json', manifestOf('{ relations { name } }'))
  t.notMatch((await runCommand(folder, 'compile')).err, /trusted/)
  rmSync(join(folder, 'documents.json'))
  t.match(await runCommand(folder, 'compile'), {
    code: 0,
    err: /^warning .*could not be looked at by "trusted-documents": .*ENOENT/m,
  })
  const remote = section.replace(
    'mode = "strict"\nmanifest_path = "documents.json"',
    'manifest_url = "http://127.0.0.1:9/d.json"',
  )
  write('svc.toml', `[database]\nurl = "${url}"\n${remote}`)
  t.match(await runCommand(folder, 'compile'), { code: 0, err: /^warning .*127\.0\.0\.1:9\/d\.json\) cannot be read/m })
})
