import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadCommands, main } from '../../../core/cli/main.ts'
import { skip } from '../../helpers/services.ts'
import { createTestIo } from './helpers.ts'

/** What `svc completion` prints, in real shells. */
async function print(dir: string, ...shell: string[]) {
  const { io, stdout, stderr } = createTestIo(dir)
  return { code: await main(['completion', ...shell], io), stdout: stdout(), stderr: stderr() }
}

/** Presses Tab behind `line` in bash. */
function complete(script: string, line: string, shell = 'bash'): string[] {
  const words = line.split(' ')
  const source = `source ${script}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_svc_complete
printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync(shell, ['--norc', '-uc', source], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '')
}

t.test('bash completes commands, flags and choices', async (t) => {
  if (!existsSync('/bin/bash')) return skip(t, 'bash', 'there is no /bin/bash')
  const dir = t.testdir()
  const { code, stdout, stderr } = await print(dir, 'bash')
  t.strictSame([code, stderr], [0, ''])
  const script = join(dir, 'svc.bash')
  writeFileSync(script, stdout)
  for (const [line, words] of [
    ['svc ru', ['run']],
    ['svc com', ['compile', 'completion']],
    ['svc --v', ['--version']],
    ['svc run --por', ['--port']],
    ['svc run --b', ['--bind']],
    ['svc run -', ['-p', '-w', '-h', '-V']],
    ['svc run --port ', []],
    ['svc run --preset --p', []],
    ['svc run --watch --por', ['--port']],
    ['svc run x', []],
    ['svc completion ', ['bash', 'zsh', 'fish']],
    ['svc completion bash ', []],
    ['svc help ini', ['init']],
    ['svc mcp check --max', []],
    ['svc nope --', []],
  ] as const) {
    const found = complete(script, line)
    const seen = line.endsWith('-') && words.length > 0 ? found.filter((word) => !word.startsWith('--')) : found
    t.strictSame(seen, words, line)
  }
  for (const command of await loadCommands()) {
    const expected = command.options.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((one) => `--${one}`))
    t.strictSame(complete(script, `svc ${command.name} --`), [...expected, '--help', '--version'], command.name)
  }
})

t.test('commands of the plugins of the project are there, and of no others', async (t) => {
  const dir = t.testdir({ 'svc.toml': '[svc.mcp]\nenabled = true\n' })
  const { stdout } = await print(dir, 'bash')
  const script = join(dir, 'svc.bash')
  writeFileSync(script, stdout)
  t.strictSame(complete(script, 'svc mcp check --max'), ['--max-tokens'])
  t.strictSame(complete(script, 'svc keys --'), [])

  const broken = await print(t.testdir({ 'svc.toml': '[servr]\n' }), 'bash')
  t.equal(broken.code, 0)
  t.match(broken.stderr, /Commands of plugins are left out.*\[servr\]/)
  t.match(broken.stdout, /compile.*completion/)
})

t.test('zsh and fish read what is printed for them', async (t) => {
  for (const [shell, wanted] of [
    ['zsh', [/'--port\[Port to listen on/, /compdef _svc svc\n$/, /1:what:\(bash zsh fish\)/]],
    ['fish', [/-n '__fish_seen_subcommand_from run' -l port -s p -r -d/, /-f -a 'bash zsh fish'/]],
  ] as const) {
    const { code, stdout } = await print(t.testdir(), shell)
    t.equal(code, 0)
    for (const pattern of wanted) t.match(stdout, pattern)
    const file = join(t.testdir(), `svc.${shell}`)
    writeFileSync(file, stdout)
    const program = [process.env[`${shell.toUpperCase()}_PROGRAM`], `/usr/bin/${shell}`].find(
      (one) => one && existsSync(one),
    )
    if (program === undefined) skip(t, shell, `there is no /usr/bin/${shell}`)
    else {
      execFileSync(program, ['-n', file])
      if (shell === 'fish') {
        const asked = `source ${file}; complete -C 'svc run --po'; complete -C 'svc completion z'`
        t.match(execFileSync(program, ['-c', asked], { encoding: 'utf8' }), /^--port\t.*\nzsh\n$/)
      }
    }
  }
})

t.test('an unknown shell is refused with the list of shells', async (t) => {
  t.match(await print(t.testdir(), 'bsh'), {
    code: 2,
    stdout: '',
    stderr:
      /"svc completion" has no SHELL "bsh", but bash, zsh or fish\. Did you mean "bash"\?\nSee: svc completion --help/,
  })
  t.match(await print(t.testdir()), { code: 2, stderr: /wants SHELL: bash, zsh or fish/ })
})
