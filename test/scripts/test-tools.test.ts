import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { importedTools, missingTools } from '../../scripts/tests/test-tools.ts'

function write(root: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}
const MANIFEST = JSON.stringify({ dependencies: { '@other/client': '^1.0.0', validator: '^2.0.0' } })

t.test('a package of test/package.json is missing unless test/ or the root has it', (t) => {
  const root = write(t.testdir({}), { 'test/package.json': MANIFEST })
  t.strictSame(missingTools(root), ['@other/client', 'validator'])
  write(root, { 'test/node_modules/@other/client/package.json': '{}', 'node_modules/validator/package.json': '{}' })
  t.strictSame(missingTools(root), [])
  t.end()
})

t.test('a test needs the packages that it or a file beside it imports, by any kind of import and any subpath', (t) => {
  const root = write(t.testdir({}), {
    'test/direct.test.ts': "import { check } from 'validator'\n",
    'test/subpath.test.ts': "const { Client } = await import('@other/client/http.js')\n",
    'test/through.test.ts': "import { helper } from './helpers/helper.ts'\n",
    'test/helpers/helper.ts': "import './through-again.ts'\nexport const helper = require.resolve('validator')\n",
    'test/similar.test.ts': "import { check } from 'validator-of-another-name'\n",
    'test/circle.test.ts': "import { circle } from './circle.test.ts'\n",
  })
  const packages = ['@other/client', 'validator']
  const of = (name: string): readonly string[] => importedTools(`test/${name}.test.ts`, packages, root)
  t.strictSame(of('direct'), ['validator'])
  t.strictSame(of('subpath'), ['@other/client'])
  t.strictSame(of('through'), ['validator'])
  t.strictSame(of('similar'), [])
  t.strictSame(of('circle'), [])
  t.strictSame(
    importedTools('test/direct.test.ts', ['@other/client'], root),
    [],
    'an installed package is no reason to skip',
  )
  t.end()
})
