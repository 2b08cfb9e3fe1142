import { readFile, writeFile } from 'node:fs/promises'
import { renderAccessMatrixPage } from './docs/access-matrix-page.ts'
import { renderApiPages } from './docs/api-pages.ts'
import { renderCliPage } from './docs/cli-page.ts'
import { renderCompileMessagesPage } from './docs/compile-messages-page.ts'
import { renderConfigPage, renderExampleFile } from './docs/config-page.ts'
import { renderDecisionsPage } from './docs/decisions-page.ts'
import { renderErrorsPage } from './docs/errors-page.ts'
import { renderGrafanaFile } from './docs/grafana-file.ts'
import { renderMutationPage } from './docs/mutation-page.ts'
import { renderOptionsPage } from './docs/options-page.ts'
import { renderPackagesPage } from './docs/packages-page.ts'
import { renderScalarsPage } from './docs/scalars-page.ts'
import { renderSchemaJsonPage, renderSchemaShape } from './docs/schema-json-page.ts'
import { renderDecoratorsFile } from './python/decorators-file.ts'
import { renderPythonPage } from './python/python-page.ts'
import { renderNamesFile, renderOptionsFile, renderScalarsFile } from './python/tables-files.ts'

/** Writes the generated documents; with `--check` lists the stale ones and exits with 1. */
const root = new URL('../', import.meta.url)
const pages = [
  renderConfigPage(),
  renderExampleFile(),
  renderErrorsPage(),
  renderCompileMessagesPage(),
  renderScalarsPage(),
  renderSchemaJsonPage(),
  renderSchemaShape(),
  renderOptionsPage(),
  renderPackagesPage(),
  renderGrafanaFile(),
  renderMutationPage(),
  ...renderApiPages(),
  renderDecisionsPage(),
  renderPythonPage(),
  renderNamesFile(),
  renderOptionsFile(),
  renderScalarsFile(),
  renderDecoratorsFile(),
  await renderCliPage(),
  await renderAccessMatrixPage(),
]
const isCheck = process.argv.includes('--check')

for (const { path, content } of pages) {
  const file = new URL(path, root)
  const current = await readFile(file, 'utf8').catch(() => '')
  if (current === content) continue
  if (isCheck) {
    process.stderr.write(`${path} is not up to date: run npm run docs\n`)
    process.exitCode = 1
  } else {
    await writeFile(file, content)
    process.stdout.write(`${path}\n`)
  }
}
