#!/usr/bin/env node
import fs from 'node:fs'
import * as module from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import v8 from 'node:v8'
import { isBuilt } from './built.js'

// Plain JavaScript that an old Node.js can read too: its first work is to find out which one runs it.
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const neededMajor = 24
const serviceCommands = ['serve', 'worker']
/** They end before an optimized embedded database is of use to them. */
const briefCommands = ['setup', 'migrate']
/**
 * V8 takes 600 MB and seconds to optimize the largest function of the embedded database. A machine with less memory than this
 * does without, and its heaviest statements take up to twice as long.
 */
const minBytesToOptimize = 2 * 1024 ** 3
/**
 * One heap of the C library for all threads, as children have it in child-process/fork.ts. With a second variable set, arrays of a
 * search over 128 KiB are given back at once: 50 MB less among a million posts, where one is published every 200 ms.
 */
const lowMemoryEnv = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '262144' }
/** Half of the young heap that V8 would let grow, and never gives back under load: 14 MB. Read when a process begins. */
const youngHeapFlag = '--max-semi-space-size=8'
/**
 * V8 collects the heap of a process that rests, and throws optimized code away with the objects it was made for. That gives 15 MB
 * back, and the next export of 10,000 posts takes 1.2 s more. Read when a process begins.
 */
const warmFlag = '--no-memory-reducer'

if (Number.parseInt(process.versions.node, 10) >= neededMajor) await start()
else await runOnOwnNode()

async function start() {
  restartWithLeanMemory()
  if (process.env.GALLEY_LAUNCHER === String(process.ppid) && process.channel) endWithLauncher()
  const argv = process.argv.slice(2)
  const isCompiled = isBuilt(root)
  if (isCompiled && isPlainHelp(argv)) {
    // A reader that has gone (`| head`) is no fault.
    process.stdout.on('error', ({ code }) => {
      if (code !== 'EPIPE') process.exitCode = 1
    })
    process.stdout.write(fs.readFileSync(path.join(root, 'dist', 'help.txt')))
    return
  }
  setFlags(argv[0])
  enableCompileCache()
  if (isCompiled) resolveDirectly(path.join(root, 'dist'))
  const { main } = await import(path.join(root, ...(isCompiled ? ['dist', 'cli', 'main.js'] : ['cli', 'main.ts'])))
  await main(argv)
}

/**
 * V8 refuses code that was compiled under other flags. Set before the cache is enabled, they choose its folder: else a service
 * and the commands beside it would refuse and write each other's 1,200 files again and again.
 */
function setFlags(command) {
  if (serviceCommands.includes(command)) {
    // What loading leaves behind would stretch the young heap by 50 MB, which an idle service then keeps; the kernel lets go of it.
    v8.setFlagsFromString('--semi-space-growth-factor=1')
    // Less garbage waits for a collection of the old heap than V8 would let wait, and under searches the process takes less memory.
    v8.setFlagsFromString('--heap-growing-percent=30')
  }
  // The embedded database's, which sets these two later.
  v8.setFlagsFromString('--wasm-tiering-budget=2000000000')
  v8.setFlagsFromString('--wasm-lazy-validation')
  if (briefCommands.includes(command) || memoryBytes() < minBytesToOptimize) {
    v8.setFlagsFromString('--no-wasm-tier-up')
    v8.setFlagsFromString('--no-wasm-dynamic-tiering')
  }
}

/** Of the machine, or what its container or service manager allows. */
function memoryBytes() {
  return Math.min(os.totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

/** Threads, and processes that get this one's environment, find the cache by the variable. */
function enableCompileCache() {
  const { directory } = module.enableCompileCache()
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= directory
}

/** Compiled modules name each other's files, of which a start loads hundreds: to look for each on the disk is a tenth of it. */
function resolveDirectly(folder) {
  const base = pathToFileURL(folder + path.sep).href
  module.registerHooks({
    resolve(specifier, context, next) {
      const isOwn = /^\.\.?\/.*\.js$/.test(specifier) && context.parentURL?.startsWith(base)
      if (!isOwn) return next(specifier, context)
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    }
  })
}

/**
 * A service gives memory back sooner so. The C library reads this when a process begins, so the process
 * begins anew in its place, with the same id.
 */
function restartWithLeanMemory() {
  const isService = serviceCommands.includes(process.argv[2])
  // A channel to the process that started this one would be lost.
  if (!isService || process.platform !== 'linux' || process.channel || process.env.MALLOC_ARENA_MAX) return
  const env = { ...lowMemoryEnv, ...process.env }
  process.execve?.(process.execPath, [process.execPath, ...flagsOfNode(), ...process.argv.slice(1)], env)
}

/** Those given and those of a service. An operator may choose the size of the young heap. */
function flagsOfNode() {
  const { execArgv, env } = process
  if (!serviceCommands.includes(process.argv[2])) return execArgv
  const isChosen = [...execArgv, env.NODE_OPTIONS ?? ''].some(each => each.includes('max-semi-space-size'))
  return [...execArgv, warmFlag, ...(isChosen ? [] : [youngHeapFlag])]
}

/** The list of commands is written by the build; other plugins than the package's have another list. */
function isPlainHelp(argv) {
  if (argv.length > 1 || !['--help', '-h', undefined].includes(argv[0]) || process.env.GALLEY_PLUGINS) return false
  return process.cwd() === root || !fs.existsSync('plugins.config.json')
}

/** The optional dependency brings a Node.js of the right version. */
async function runOnOwnNode() {
  const node = findOwnNode()
  if (node === undefined) {
    const found = `this is Node.js ${process.versions.node} on ${process.platform}-${process.arch}`
    console.error(
      `error: galley needs Node.js ${neededMajor} or newer, and ${found}: install one from https://nodejs.org`
    )
    process.exitCode = 1
    return
  }
  const { spawn } = await import('node:child_process')
  const child = spawn(node, [...flagsOfNode(), ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...lowMemoryEnv, ...process.env, GALLEY_LAUNCHER: String(process.pid) }
  })
  forwardSignals(child)
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}

function forwardSignals(child) {
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl-C to both processes; sent twice, it would mean "at once".
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
}

/** A launcher that is killed takes its child along, so that no server stays behind unseen. */
function endWithLauncher() {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel.unref()
}

function findOwnNode() {
  try {
    const manifest = module
      .createRequire(import.meta.url)
      .resolve(`node-${process.platform}-${process.arch}/package.json`)
    const node = path.join(path.dirname(manifest), 'bin', 'node')
    return fs.existsSync(node) ? node : undefined
  } catch {
    return undefined
  }
}
