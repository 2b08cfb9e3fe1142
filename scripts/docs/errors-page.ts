import { CODES, type ErrorCode } from '../../core/base/errors/codes.ts'
import { listManifests } from './config-sections.ts'
import { code, GENERATED, type Page, toTable } from './page.ts'

/** docs/reference/errors.md */
export function renderErrorsPage(): Page {
  const all = Object.entries<ErrorCode>(CODES)
  const wire = all.filter(([, { exposed }]) => exposed)
  const operator = all.filter(([, { exposed }]) => !exposed)
  const plugins = listManifests().flatMap(({ name, codes = {} }) =>
    Object.entries(codes).map(([key, row]) => [code(key), code(name), String(row.status), row.doc]),
  )
  const parts = [
    `# Errors\n\n${GENERATED}\n`,
    'A client sees `code` and `message`: in GraphQL in `errors[].extensions.code`, in REST in `error.code`. A code that',
    "is not listed here belongs to the schema's author and has status 422. An internal error becomes",
    '`INTERNAL_SERVER_ERROR` with an `errorId`, under which the log has the cause.\n',
    '## Errors for clients\n',
    `${toTable(
      ['Code', 'Status', 'Meaning'],
      wire.map(([key, row]) => [code(key), String(row.status), row.doc]),
    )}\n`,
    '## Errors for operators\n',
    'On the command line and in the log; never in a response.\n',
    `${toTable(
      ['Code', 'Meaning'],
      operator.map(([key, row]) => [code(key), row.doc]),
    )}\n`,
  ]
  if (plugins.length > 0)
    parts.push('## Codes of plugins\n', `${toTable(['Code', 'Plugin', 'Status', 'Meaning'], plugins)}\n`)
  return { path: 'docs/reference/errors.md', content: parts.join('\n') }
}
