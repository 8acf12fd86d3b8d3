import { Parser, type VariableDeclaration } from 'acorn'
import { constant, imports, Refusal, tooDeep, tooMany } from './verdict'

/**
 * Cost of nesting that may be open at once: about 140 brackets, 240 blocks, 950 operators in one expression, or 480 calls
 * and members in one chain. The smallest stack of a host carries more, so that the verdict comes from here and is the same in all of them.
 */
const maxDepth = 1000

/** What acorn's parser has beside its declared face: the methods that all nesting goes through, and those we correct. */
interface Internals {
  readonly start: number
  parseVarStatement(node: unknown, kind: string, allowMissing?: unknown): VariableDeclaration
  parseStatement(context?: unknown, topLevel?: unknown, exports?: unknown): unknown
  parseMaybeAssign(forInit?: unknown, errors?: unknown, afterLeft?: unknown): unknown
  parseMaybeUnary(errors?: unknown, sawUnary?: unknown, incDec?: unknown, forInit?: unknown): unknown
  buildBinary(start: unknown, loc: unknown, left: unknown, right: unknown, operator: unknown, logical: unknown): unknown
  parseSubscripts(base: unknown, start: unknown, loc: unknown, noCalls: unknown, forInit: unknown): unknown
  parseSubscript(...of: unknown[]): unknown
  parseFunctionParams(node: Listed): void
  parseArrowExpression(...of: unknown[]): unknown
  parseNew(): unknown
  parseBindingAtom(): unknown
  regexp_disjunction(state: unknown): unknown
  regexp_classContents(state: unknown): unknown
  parseImport(node: unknown): unknown
  parseExprImport(forNew?: unknown): unknown
}

/** A node that lists arguments or parameters. */
interface Listed {
  readonly start: number
  readonly arguments?: readonly unknown[]
  readonly params?: readonly unknown[]
}

/** More arguments or parameters than this no engine compiles; some say so only when the code starts. */
const mostListed = 65_000

function few(node: Listed): Listed {
  if ((node.arguments ?? node.params ?? []).length > mostListed) throw new Refusal(tooMany, node.start)
  return node
}

const Base = Parser as unknown as new (...args: unknown[]) => Internals

class Guarded extends Base {
  // What is open. The methods below call super directly and leave without finally: a closure or a handler for each level
  // would take the stack that they guard, and after an error the parser is not used again.
  private open = 0

  private enter(cost: number): void {
    this.open += cost
    if (this.open > maxDepth) throw new Refusal(tooDeep, this.start)
  }

  override parseStatement(context?: unknown, topLevel?: unknown, exports?: unknown): unknown {
    this.enter(4)
    const node = super.parseStatement(context, topLevel, exports)
    this.open -= 4
    return node
  }

  override parseMaybeAssign(forInit?: unknown, errors?: unknown, afterLeft?: unknown): unknown {
    const before = this.open
    this.enter(5)
    const node = super.parseMaybeAssign(forInit, errors, afterLeft)
    this.open = before
    return node
  }

  override parseMaybeUnary(errors?: unknown, sawUnary?: unknown, incDec?: unknown, forInit?: unknown): unknown {
    const before = this.open
    this.enter(2)
    const node = super.parseMaybeUnary(errors, sawUnary, incDec, forInit)
    this.open = before
    return node
  }

  // acorn goes one level down for each further operator of a chain; the level ends with the expression.
  override buildBinary(start: unknown, loc: unknown, left: unknown, right: unknown, operator: unknown, logical: unknown): unknown {
    this.enter(1)
    return super.buildBinary(start, loc, left, right, operator, logical)
  }

  // acorn reads a chain in a loop, but an engine goes one level down for each link of it.
  override parseSubscripts(base: unknown, start: unknown, loc: unknown, noCalls: unknown, forInit: unknown): unknown {
    const before = this.open
    const node = super.parseSubscripts(base, start, loc, noCalls, forInit)
    this.open = before
    return node
  }

  override parseSubscript(...of: unknown[]): unknown {
    this.enter(2)
    return few(super.parseSubscript(...of) as Listed)
  }

  override parseFunctionParams(node: Listed): void {
    super.parseFunctionParams(node)
    few(node)
  }

  override parseArrowExpression(...of: unknown[]): unknown {
    return few(super.parseArrowExpression(...of) as Listed)
  }

  override parseNew(): unknown {
    this.enter(3)
    const node = super.parseNew()
    this.open -= 3
    return few(node as Listed)
  }

  override parseBindingAtom(): unknown {
    this.enter(3)
    const node = super.parseBindingAtom()
    this.open -= 3
    return node
  }

  override regexp_disjunction(state: unknown): unknown {
    this.enter(6)
    const parsed = super.regexp_disjunction(state)
    this.open -= 6
    return parsed
  }

  override regexp_classContents(state: unknown): unknown {
    this.enter(6)
    const parsed = super.regexp_classContents(state)
    this.open -= 6
    return parsed
  }

  // acorn leaves out this error where the next word is `of`, as if every declaration could be the head of a loop.
  override parseVarStatement(node: unknown, kind: string, allowMissing?: unknown): VariableDeclaration {
    const declaration = super.parseVarStatement(node, kind, allowMissing)
    const bare = declaration.declarations.find(({ init }) => !init)
    if (declaration.kind === 'const' && bare) throw new Refusal(constant, bare.start)
    return declaration
  }

  override parseImport(): unknown {
    throw new Refusal(imports, this.start)
  }

  override parseExprImport(): unknown {
    throw new Refusal(imports, this.start)
  }
}

/** acorn's parser, with a bound on nesting and without imports. */
export const ToolParser = Guarded as unknown as typeof Parser
