/** `'svc/codegen'`: the preset for `@graphql-codegen/cli`. */

export {
  type CodegenOptions,
  type CodegenOutput,
  type CodegenPreset,
  codegenPreset as default,
  codegenPreset as preset,
} from '../cli/generate/codegen/codegen-preset.ts'
