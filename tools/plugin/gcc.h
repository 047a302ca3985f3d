/*
 * The headers of GCC that the plugin uses, in an order in which they can be included, and what differs between GCC 12
 * and 16.
 */
#ifndef PLUGIN_GCC_H
#define PLUGIN_GCC_H

#include "gcc-plugin.h" /* first: it configures the others */

#include "tree.h"
#include "gimple.h"
#include "rtl.h"
#include "df.h"
#include "memmodel.h"
#include "tm_p.h"
#include "emit-rtl.h"
#include "regs.h"
#include "insn-config.h"
#include "recog.h"
#include "function-abi.h"
#include "cfgloop.h"
#include "cfgloopmanip.h"
#include "cfghooks.h"
#include "cgraph.h"
#include "cpplib.h"
#include "stringpool.h"
#include "attribs.h"
#include "context.h"
#include "diagnostic-core.h"
#include "debug.h"
#include "dominance.h"
#include "output.h"
#include "plugin-version.h"
#include "print-tree.h"
#include "sreal.h"
#include "ssa.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "gimple-walk.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "tree-into-ssa.h"
#include "tree-iterator.h"
#include "tree-inline.h"
#include "tree-pass.h"
#include "tree-phinodes.h"
#include "tree-chrec.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-manip.h"
#include "tree-ssa-loop-niter.h"
#include "tree-ssanames.h"
#include "stor-layout.h"
#include "varasm.h"

#endif
