#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'
import { setFlagsFromString } from 'node:v8'

// V8 should keep the heap near the configured sizes of the caches, instead of several times as large.
// Pretenuring allocates objects in the old generation if earlier ones of the same code survived. The first documents and plans are
// cached and survive, but later ones are short-lived, and in the old generation they would wait for a full collection.
setFlagsFromString('--no-allocation-site-pretenuring')
// Start a full collection when the old generation has grown by 40 % since the last one, instead of by a factor of four.
setFlagsFromString('--heap-growing-percent=40')
// The modules of a start survive, for which V8 would double the young generation up to its maximum and keep it. It may grow when the
// service is ready (`core/cli/run/run.ts`).
if (process.argv[2] === 'run') setFlagsFromString('--semi-space-growth-factor=1')
// `svc compile` uses an embedded database too briefly for optimized WebAssembly to pay off. Without the optimizing compiler it
// takes half the time and 90 MB less memory.
if (process.argv[2] === 'compile') setFlagsFromString('--liftoff-only')

// Node 22.8 and newer keep the compiled code of a start for the next ones (NODE_DISABLE_COMPILE_CACHE=1 turns this off).
module.enableCompileCache?.()

// A checkout runs from its sources, a published package from its build. SVC_DIST=1 runs the build of a checkout.
const source = new URL('../core/cli/main.ts', import.meta.url)
const isSource = !process.env.SVC_DIST && existsSync(source)

if (isSource) {
  // A tsconfig.json in the working directory must not affect how the sources of svc are compiled.
  const { register } = await import('tsx/esm/api')
  register({ tsconfig: false })
}
const { main } = await import(isSource ? source.href : new URL('../dist/core/cli/main.js', import.meta.url).href)
process.exitCode = await main(process.argv.slice(2))
// Exits although a command has left resources open, such as a connection that does not close.
setTimeout(() => process.exit(), 1000).unref()
