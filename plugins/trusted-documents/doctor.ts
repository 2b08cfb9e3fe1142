import { defineDoctorCheck, failed, ok, warning } from '../../core/doors/command.ts'
import type { TrustedDocumentsOptions } from './options.ts'
import { parseManifest } from './parse-manifest.ts'
import { sourceOf } from './read-source.ts'

const NAME = 'trusted documents'

/**
 * Check of `svc doctor`: the manifest of trusted documents can be read and parsed. `svc compile` checks the documents
 * themselves.
 */
export default defineDoctorCheck<TrustedDocumentsOptions>(async ({ options, baseDir }) => {
  const source = sourceOf(options, baseDir)
  let text: string
  try {
    text = await source.read()
  } catch (error) {
    const why = `${source.name} cannot be read: ${(error as Error).message}`
    // In strict mode the service does not start without the manifest.
    return [options.mode === 'strict' ? failed(NAME, new Error(why)) : warning(NAME, why)]
  }
  const { documents, faults } = parseManifest(text)
  if (faults.length > 0) return [failed(NAME, new Error(`${source.name} cannot be used:\n${faults.join('\n')}`))]
  if (documents.size > 0) {
    const others =
      options.mode === 'strict' ? '; of GraphQL alone: REST, MCP and Arrow answer what their callers may ask for' : ''
    return [ok(NAME, `${documents.size} in ${source.name}, mode ${options.mode}${others}`)]
  }
  const none = `${source.name} holds no document: every one is unknown${options.mode === 'strict' ? ', and refused' : ''}.`
  return [warning(NAME, none)]
})
