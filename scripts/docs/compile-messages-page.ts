import { FAULTS, WARNINGS } from '../../core/compiler/ground/messages.ts'
import { listManifests } from './config-sections.ts'
import { code, GENERATED, type Page, toTable } from './page.ts'

/** Faults of core, and of the checks of plugins' keys: id → meaning. */
export function listFaults(): Readonly<Record<string, string>> {
  return Object.assign({}, FAULTS, ...listManifests().map(({ schemaKeys }) => schemaKeys?.faults))
}

/** docs/reference/compile-messages.md */
export function renderCompileMessagesPage(): Page {
  const rows = (messages: Readonly<Record<string, string>>): string =>
    toTable(
      ['Id', 'Meaning'],
      Object.entries(messages).map(([id, meaning]) => [code(id), meaning]),
    )
  const parts = [
    `# Messages of svc compile\n\n${GENERATED}\n`,
    '`svc compile` reports everything it finds at once, one line each, in the order of the source:\n',
    '    schema.ts:12:3  error  User.nmae: v_user has no column "nmae". Did you mean "name"? …\n',
    'The text describes the error and the fix. Programs use the ids below (`compileSchema`).\n',
    '## Errors\n',
    'Nothing is written; exit code 1.\n',
    `${rows(listFaults())}\n`,
    '## Warnings\n',
    'The artifact is written all the same.\n',
    `${rows(WARNINGS)}\n`,
    '## Exit codes\n',
    `${toTable(
      ['Code', 'Meaning'],
      [
        ['0', 'Compiled. With `--check`: the artifact is up to date.'],
        ['1', 'Errors in the schema. With `--check`: the artifact is not up to date.'],
        ['2', 'The configuration or the command line cannot be used.'],
        ['3', 'The database cannot be reached.'],
      ],
    )}\n`,
  ]
  return { path: 'docs/reference/compile-messages.md', content: parts.join('\n') }
}
