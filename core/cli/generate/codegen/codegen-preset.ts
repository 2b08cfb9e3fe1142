import { buildASTSchema, type DefinitionNode, type DocumentNode, print } from 'graphql'
import { SvcError } from '../../../base/errors/svc-error.ts'
import { documentsOf } from '../documents/find-documents.ts'
import { wireByName } from '../schema/read-api-schema.ts'
import { writeTypeScriptClient } from '../typescript/write-client.ts'

/** Options that GraphQL Code Generator passes to a preset, as far as svc reads them. */
export interface CodegenOptions {
  /** File to write: the key in `generates`. */
  readonly baseOutputDir: string
  /** The schema as SDL. */
  readonly schema: DocumentNode
  /** Documents of the project that GraphQL Code Generator found, by file. */
  readonly documents: readonly { readonly document?: DocumentNode }[]
  readonly config: object
  /** `presetConfig` of the output. The preset has no options. */
  readonly presetConfig: object
  readonly plugins: readonly object[]
}

/** An output of a preset: a file, with the plugins that write it. */
export interface CodegenOutput {
  readonly filename: string
  readonly schema: DocumentNode
  readonly documents: readonly { readonly document?: DocumentNode }[]
  readonly config: object
  readonly plugins: readonly Readonly<Record<string, object>>[]
  readonly pluginMap: Readonly<Record<string, { readonly plugin: () => Promise<string> }>>
}

/** A preset of GraphQL Code Generator. */
export interface CodegenPreset {
  buildGeneratesSection(options: CodegenOptions): readonly CodegenOutput[]
}

const PLUGIN = 'svc-client'

/**
 * The preset of `@graphql-codegen/cli` that writes the module of `svc generate --client typescript`: types of the
 * schema, types of the documents that GraphQL Code Generator finds, and a client.
 */
export const codegenPreset: CodegenPreset = {
  buildGeneratesSection({ baseOutputDir, schema, documents, config, presetConfig, plugins }) {
    if (!/\.[cm]?ts$/.test(baseOutputDir)) {
      const message = `The preset of svc writes one module: name a TypeScript file in "generates", such as "src/svc-client.ts", not "${baseOutputDir}".`
      throw new SvcError('SVC_USAGE', message)
    }
    const [option] = Object.keys(presetConfig)
    if (option !== undefined)
      throw new SvcError('SVC_USAGE', `The preset of svc has no options: remove "${option}" from presetConfig.`)
    if (plugins.length > 0) {
      const message = `The preset of svc writes the whole module ${baseOutputDir}: give "plugins" a file of their own in "generates".`
      throw new SvcError('SVC_USAGE', message)
    }
    const plugin = async (): Promise<string> => writeModule(schema, documents)
    const output = { filename: baseOutputDir, schema, documents, config }
    return [{ ...output, plugins: [{ [PLUGIN]: {} }], pluginMap: { [PLUGIN]: { plugin } } }]
  },
}

function writeModule(sdl: DocumentNode, files: CodegenOptions['documents']): string {
  // GraphQL Code Generator may load another copy of graphql-js. Syntax trees are plain data, and the classes of a schema are not.
  const schema = buildASTSchema(sdl, { assumeValidSDL: true })
  const definitions = files.flatMap(({ document }): readonly DefinitionNode[] => document?.definitions ?? [])
  return writeTypeScriptClient({ schema, sdl: print(sdl), wireOf: wireByName }, documentsOf(definitions, schema))
}
