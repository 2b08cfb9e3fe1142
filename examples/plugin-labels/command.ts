import { defineCommandRunner, EXIT } from 'svc/command'
import { readLabels } from './labels.ts'

/** `svc labels [TYPE] [--json]` */
export default defineCommandRunner(async ({ positionals: [type], flags }, { io, loadSchema }) => {
  const all = [...readLabels(await loadSchema())]
  const shown = all.filter(([name]) => type === undefined || name === type)
  if (type !== undefined && shown.length === 0) {
    io.stderr(`There are no labels of ${type}.\n`)
    return EXIT.invalid
  }
  if (flags.json === true) io.stdout(`${JSON.stringify(Object.fromEntries(shown), null, 2)}\n`)
  else for (const [name, { label }] of shown) io.stdout(`${name}  ${label}\n`)
  return EXIT.ok
})
