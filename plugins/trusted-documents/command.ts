import { resolve } from 'node:path'
import { defineCommandRunner, EXIT, printJson } from '../../core/doors/command.ts'
import { SvcError } from '../../core/doors/plugin.ts'
import type {} from './api.ts'
import type { TrustedDocumentsOptions } from './options.ts'
import { parseManifest } from './parse-manifest.ts'
import { fileSource, sourceOf } from './read-source.ts'

/** Runs the command `svc validate-documents [MANIFEST]`, which checks trusted documents against the schema. */
export default defineCommandRunner<TrustedDocumentsOptions>(async ({ positionals: [file], flags }, host) => {
  const source =
    file === undefined ? sourceOf(host.options, host.baseDir) : fileSource(resolve(host.io.cwd, file), file)
  const text = await source.read().catch((cause: unknown) => {
    const message = `The manifest (${source.name}) cannot be read: ${(cause as Error).message}`
    throw new SvcError('SVC_CONFIG_INVALID', message, { cause })
  })
  const { documents, faults: found } = parseManifest(text)
  const faults = [...found]
  if (flags.schema === true && faults.length === 0) {
    const service = await host.boot()
    const invalid = (await service.provided('trustedDocuments')?.check(documents)) ?? []
    faults.push(...invalid.map(({ id, messages }) => `"${id}" does not fit the schema: ${messages.join(' ')}`))
  }
  const { io } = host
  if (flags.json === true) {
    printJson(io, { valid: faults.length === 0, documents: documents.size, faults })
  } else if (faults.length === 0) {
    io.stdout(`${source.name}: ${documents.size} documents, all valid\n`)
  } else {
    io.stderr(`${source.name}:\n${faults.map((fault) => `  - ${fault}\n`).join('')}`)
  }
  return faults.length === 0 ? EXIT.ok : EXIT.invalid
})
