ridge system dgx1-p100 dgx1-v100
