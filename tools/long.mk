# What goes on for as long as it is asked to: `make fuzz`, `make storm`, `make boots`; or half an hour: `make torture`.

fuzz: build/.setup
	@exec tools/fuzz/run --minutes="$$MINUTES" -- "$$ONLY"

STORMED := $(foreach name,kernel kernel-debug,build/$(name)/heddle.elf) \
           $(foreach name,hosted hosted-debug hosted-asan hosted-tsan,build/$(name)/heddle)
storm: build/.setup $(STORMED)
	@exec $(PYTHON) tools/storm --minutes="$$MINUTES" --seed="$$SEED" --only="$$ONLY"

BOOTED := build/kernel$(if $(DEBUG),-debug)/heddle.elf
boots: build/.setup $(BOOTED)
	@exec $(PYTHON) tools/boots --kernel $(BOOTED) --boots="$$BOOTS" $(if $(FRESH),--fresh)

torture: build/.setup build/plugin/heddle.so build/hosted/libheddle.a
	@exec $(PYTHON) tools/torture/run --levels="$$LEVELS" --stacks="$$STACKS" --every="$$EVERY" --csmith="$$CSMITH" \
	    --seed="$$SEED" -- "$$ONLY"
